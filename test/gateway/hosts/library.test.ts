/** `tessera-graph/engine` in other runtimes than Node. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { root } from '../../support/deploy.ts'
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
