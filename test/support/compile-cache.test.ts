import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { boundCompileCache, commandsVariable, keepCompiled } from './compile-cache.ts'
import { temporaryFolder } from './temporary.ts'

test('compiled modules are kept from run to run up to a number of them, over all versions of Node', () => {
  const folder = temporaryFolder()
  const cache = join(folder, 'cache')
  for (const version of ['v22', 'v24']) {
    mkdirSync(join(cache, version), { recursive: true })
    for (const name of ['a', 'b']) writeFileSync(join(cache, version, name), '')
  }
  boundCompileCache(cache, 4)
  expect(existsSync(join(cache, 'v24', 'b'))).toBe(true)
  boundCompileCache(cache, 3)
  expect(existsSync(cache)).toBe(false)
  boundCompileCache(cache, 3)
  expect(existsSync(folder)).toBe(true)
})

test('what workers compile is kept from the second run of a clone on', () => {
  const folder = temporaryFolder()
  const environmentOfRun = (): object => {
    const env = {}
    for (const _project of ['alone', 'tessera']) keepCompiled(folder, env)
    return env
  }
  const commands = { [commandsVariable]: join(folder, 'commands') }
  expect(environmentOfRun()).toEqual(commands)
  expect(environmentOfRun()).toEqual({ NODE_COMPILE_CACHE: join(folder, 'tests'), ...commands })
})
