/** `tessera-graph/engine` in other runtimes than Node, and in a program that goes on if it cannot be used. */
import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../../support/deploy.ts'
import { lastingPort } from '../../support/port.ts'
import { environment } from '../../support/process.ts'

const asModule = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`

test('loads in a runtime whose node:module has no registerHooks, such as Bun', () => {
  const lesser = asModule(`
    const { registerHooks, ...others } = process.getBuiltinModule('node:module')
    export default others
    export const { createRequire, isBuiltin } = others
  `)
  const substituting = asModule(`
    process.getBuiltinModule('node:module').registerHooks({
      resolve: (name, context, next) =>
        name === 'node:module' ? { url: ${JSON.stringify(lesser)}, shortCircuit: true } : next(name, context),
    })
  `)
  const entry = pathToFileURL(join(root, 'gateway/hosts/library.ts')).href
  const code = `const { createHandler } = await import(${JSON.stringify(entry)}); console.log(typeof createHandler)`
  const args = ['--import', substituting, '--input-type=module', '--eval', code]
  expect(execFileSync(process.execPath, args, { env: environment(), encoding: 'utf8' }).trim()).toBe(
    'function',
  )
})

const moduleUrl = (file: string): string => JSON.stringify(pathToFileURL(join(root, file)).href)

// Connections to Redis are made again and again for as long as they are open, and keep the process alive.
test.each([
  ['a credential cannot be read', { TESSERA_MESSAGES_CREDENTIAL: 'google:nowhere.json' }, /nowhere/],
  [
    'a rule has no cost to count',
    { TESSERA_RATE_LIMITS: '[{ "name": "few", "counts": "cost", "limit": 1, "windowSeconds": 1 }]' },
    /few counts cost/,
  ],
])('leaves nothing open of a handler that cannot be made, because %s', async (_, wrong, reason) => {
  const settings = { TESSERA_REDIS_URL: `redis://127.0.0.1:${await lastingPort()}`, ...wrong }
  const code = `
    const { createHandler } = await import(${moduleUrl('gateway/hosts/handler.ts')})
    const { readConfig } = await import(${moduleUrl('gateway/config/index.ts')})
    const { config, faults } = readConfig(${JSON.stringify(settings)})
    if (faults !== undefined) throw new Error(faults.join())
    const url = 'http://127.0.0.1:1'
    const serviceUrls = { videos: url, agents: url, messages: url, metrics: url }
    try {
      createHandler({ config, serviceUrls })
    } catch (error) {
      console.log(error.message)
    }`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
    env: environment(),
  })
  expect((await run).stdout).toMatch(reason)
})
