/** Preloaded into a process (`--import`): when that ends, it prints the names of the packages that it has loaded. */
import { registerHooks } from 'node:module'

const names = new Set<string>()

registerHooks({
  load(url, context, nextLoad) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
    if (name !== undefined) names.add(name)
    return nextLoad(url, context)
  },
})

process.on('exit', () => process.stdout.write(`packages ${[...names].join()}\n`))
