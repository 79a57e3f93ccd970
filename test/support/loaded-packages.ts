/**
 * Preloaded into a process (`--import`): when that ends, it prints how many modules it has loaded, the names of their packages, and
 * `internal/deps/undici/undici` where Node has loaded the `fetch` of its own.
 */
import { registerHooks } from 'node:module'

const ownFetch = 'internal/deps/undici/undici'
const names = new Set<string>()
let modules = 0

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('node:')) modules += 1
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
    if (name !== undefined) names.add(name)
    return nextLoad(url, context)
  },
})

process.on('exit', () => {
  const { moduleLoadList } = process as unknown as { moduleLoadList: readonly string[] }
  for (const name of moduleLoadList) if (name.endsWith(ownFetch)) names.add(ownFetch)
  process.stdout.write(`modules ${modules}\n`)
  process.stdout.write(`packages ${[...names].join()}\n`)
})
