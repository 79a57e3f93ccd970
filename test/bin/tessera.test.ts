/** What Node compiles of the command line is kept for its next start, for this user alone. */
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { version } from '../../gateway/telemetry/version.ts'
import { startProcess } from '../support/process.ts'
import { temporaryFolder } from '../support/temporary.ts'

const bin = fileURLToPath(new URL('../../bin/tessera.js', import.meta.url))

/**
 * Runs `tessera --version` in a folder in which it leaves nothing, and in an environment that names no folder for
 * compiled modules, unless `env` does.
 */
async function printVersion(env: Readonly<Record<string, string>>): Promise<string> {
  const cwd = temporaryFolder()
  await using command = startProcess(process.execPath, [bin, '--version'], {
    cwd,
    env: { NODE_COMPILE_CACHE: '', ...env },
  })
  expect(await command.ended).toBe(0)
  expect(readdirSync(cwd)).toEqual([])
  return command.output()
}

/** The files below it, of whatever depth. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  )

test("compiled modules are kept in the user's cache folder, which is below the home folder unless it is named", async () => {
  const [cache, home] = [temporaryFolder(), temporaryFolder()]
  expect(await printVersion({ XDG_CACHE_HOME: cache, HOME: home })).toBe(`${version}\n`)
  expect(filesIn(join(cache, 'tessera')).length).toBeGreaterThan(5)
  expect(readdirSync(home)).toEqual([])

  // A relative path is none, as the specification of that variable has it.
  expect(await printVersion({ XDG_CACHE_HOME: 'cache', HOME: home })).toBe(`${version}\n`)
  expect(filesIn(join(home, '.cache', 'tessera')).length).toBeGreaterThan(5)
})

test('a folder that the environment names is used instead, and nothing is stored if the environment says so', async () => {
  const [cache, named] = [temporaryFolder(), temporaryFolder()]
  expect(await printVersion({ XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: named })).toBe(`${version}\n`)
  expect(filesIn(named).length).toBeGreaterThan(5)
  expect(await printVersion({ XDG_CACHE_HOME: cache, NODE_DISABLE_COMPILE_CACHE: '1' })).toBe(`${version}\n`)
  expect(readdirSync(cache)).toEqual([])
})

test('without a home folder nothing is kept', async () => {
  expect(await printVersion({ XDG_CACHE_HOME: '', HOME: '' })).toBe(`${version}\n`)
})

test('if the folder cannot be made, or what it holds is no compiled module, the command runs all the same', async () => {
  const cache = temporaryFolder()
  writeFileSync(join(cache, 'tessera'), 'a file')
  expect(await printVersion({ XDG_CACHE_HOME: cache })).toBe(`${version}\n`)

  const other = temporaryFolder()
  await printVersion({ XDG_CACHE_HOME: other })
  const kept = join(other, 'tessera')
  for (const name of filesIn(kept)) writeFileSync(join(kept, name), 'no module')
  expect(await printVersion({ XDG_CACHE_HOME: other })).toBe(`${version}\n`)
})
