/** `tessera scopes`: the scopes of a graph, and the fields that each of them opens. */
import { type ScopeOffer, scopesOf } from '../auth/scope-offers.ts'
import { type Command, exitCodes } from './command.ts'
import { supergraphIn } from './files.ts'

export const scopesCommand: Command = {
  synopsis: '[--supergraph FILE] [--json]',
  options: {
    supergraph: { value: 'FILE', help: 'the scopes of this supergraph; our own by default' },
    json: { help: 'as JSON: [{ "name": "…", "opens": ["Type.field"], "services": ["…"] }]' },
  },
  example: 'tessera scopes --json',

  async run(args, io) {
    const offers = scopesIn(args.string('supergraph'), Number.POSITIVE_INFINITY)
    if (args.flag('json')) {
      io.out(`${JSON.stringify(offers, null, 2)}\n`)
      return exitCodes.done
    }
    const width = Math.max(0, ...offers.map(({ name }) => name.length))
    for (const { name, opens } of offers) io.out(`${name.padEnd(width)}  ${opens.join(', ')}\n`)
    return exitCodes.done
  },
}

/**
 * The scopes of the supergraph in a file, or of our own graph. `most` is how many of the fields that a scope opens are
 * named.
 */
export function scopesIn(file?: string, most?: number): ScopeOffer[] {
  const supergraph = supergraphIn(file)
  return scopesOf(supergraph, supergraph.apiSchema, most)
}
