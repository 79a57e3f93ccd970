/** Preloaded into a gateway (`--import`): puts the mutant that the environment names into its source. */
import { registerHooks } from 'node:module'
import { mutants, mutated } from './mutants.ts'

const mutant = mutants.find(({ name }) => name === process.env.HISTORIES_MUTANT)
if (mutant === undefined) throw new Error(`there is no mutant "${process.env.HISTORIES_MUTANT}"`)

const { href } = new URL(`../../${mutant.file}`, import.meta.url)
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (url !== href) return loaded
    const source = Buffer.from(loaded.source as Uint8Array).toString()
    return { ...loaded, source: mutated(mutant, source) }
  },
})
