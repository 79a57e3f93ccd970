/**
 * Preloaded into a process (`--import`): when that ends, it prints the names of the packages that it has loaded, and
 * `internal/deps/undici/undici` where Node has loaded the `fetch` of its own.
 */
import { registerHooks } from 'node:module'

const ownFetch = 'internal/deps/undici/undici'
const names = new Set<string>()

registerHooks({
  load(url, context, nextLoad) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
    if (name !== undefined) names.add(name)
    return nextLoad(url, context)
  },
})

process.on('exit', () => {
  const { moduleLoadList } = process as unknown as { moduleLoadList: readonly string[] }
  for (const name of moduleLoadList) if (name.endsWith(ownFetch)) names.add(ownFetch)
  process.stdout.write(`packages ${[...names].join()}\n`)
})
