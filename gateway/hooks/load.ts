/**
 * Loads the file of hooks. Node runs `.ts` by removing its types; `.js` and `.mjs` are accepted as well. A file with
 * other content is another module, so that a reload sees the change; modules that it imports stay as first loaded.
 */
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
// Bun has no `registerHooks`: as a named import it would keep the whole package from loading there.
import nodeModule from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fileFault, readBounded } from '../../shared/runtime/bounded-file.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'
import type { Hooks } from './define.ts'
import { hookOf } from './run.ts'

const functions: readonly string[] = [...Object.values(hookOf), 'close']

/** A file with all its modules bundled into it is far smaller. */
const mostBytes = 16 * 1024 * 1024

/** Loads the hooks of a file, for `fileHooks`. Rejects with an error that says what is wrong with the file. */
export async function loadHooks(file: string): Promise<Hooks> {
  let text: Buffer
  try {
    text = await readBounded(file, mostBytes)
  } catch (error) {
    throw new Error(`hooks: the file cannot be read: ${file}: ${fileFault(error)}`)
  }
  const url = pathToFileURL(resolve(file))
  offerOwnModule(url.href, formatOf(file, text.toString()))
  url.searchParams.set('content', hash('sha256', text).slice(0, 16))
  let module: { readonly default?: unknown }
  try {
    module = (await import(url.href)) as typeof module
  } catch (error) {
    throw new Error(`hooks: ${file} cannot be loaded: ${messageOf(error)}`)
  }
  return checked(module.default, file)
}

function checked(value: unknown, file: string): Hooks {
  if (typeof value !== 'object' || value === null)
    throw new Error(`hooks: ${file} has no hooks: expected export default defineHooks({ … })`)
  for (const [name, hook] of Object.entries(value)) {
    if (name === 'subgraphs') {
      if (!Array.isArray(hook) || !hook.every((each) => typeof each === 'string'))
        throw new Error(`hooks: ${file}: subgraphs: expected a list of names`)
    } else if (!functions.includes(name))
      throw new Error(`hooks: ${file}: ${name}: no such hook; expected ${functions.join(', ')} or subgraphs`)
    else if (hook !== undefined && typeof hook !== 'function')
      throw new Error(`hooks: ${file}: ${name}: expected a function`)
  }
  return value as Hooks
}

/** A file with exports is an ES module, even if its package.json says `"type": "commonjs"`, as npm writes it. */
function formatOf(file: string, text: string): string | undefined {
  if (!/^export\s/m.test(text)) return undefined
  return file.endsWith('.ts') ? 'module-typescript' : file.endsWith('.js') ? 'module' : undefined
}

/** The files that may import this package, each with its format if that is known. */
const ours = new Map<string, string | undefined>()

/** `tessera-graph/hooks` is this package for the file, wherever the file is. */
function offerOwnModule(file: string, format: string | undefined): void {
  if (ours.size === 0) {
    const source = new URL('./define.ts', import.meta.url)
    // A package has no sources.
    const { href } = existsSync(source) ? source : new URL('../../dist/library/hooks.mjs', import.meta.url)
    nodeModule.registerHooks({
      resolve(specifier, context, next) {
        const parent = context.parentURL?.split('?', 1)[0]
        if (specifier === 'tessera-graph/hooks' && parent !== undefined && ours.has(parent))
          return { url: href, shortCircuit: true }
        const found = next(specifier, context)
        const known = ours.get(found.url.split('?', 1)[0] ?? '')
        return known === undefined ? found : { ...found, format: known }
      },
    })
  }
  ours.set(file, format)
}
