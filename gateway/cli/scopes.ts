/** `tessera scopes`: the scopes of a graph, and the fields that each of them opens. */
import { loadSupergraph } from '../../engine/supergraph/index.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import { type ScopeOffer, scopesOf } from '../auth/scope-offers.ts'
import { type Command, CommandError, exitCodes } from './command.ts'
import { readGraphql, syntaxFault } from './files.ts'

function offersOf(file: string | undefined): readonly ScopeOffer[] {
  if (file === undefined) return ownScopes(undefined, Number.POSITIVE_INFINITY)
  const sdl = readGraphql(file)
  try {
    return ownScopes(sdl, Number.POSITIVE_INFINITY)
  } catch (error) {
    throw new CommandError(syntaxFault(file, error))
  }
}

export const scopesCommand: Command = {
  name: 'scopes',
  synopsis: '[--supergraph FILE] [--json]',
  options: {
    supergraph: { value: 'FILE', help: 'the scopes of this supergraph; our own by default' },
    json: { help: 'as JSON: [{ "name": "…", "opens": ["Type.field"], "services": ["…"] }]' },
  },
  example: 'tessera scopes --json',

  async run(args, io) {
    const offers = offersOf(args.string('supergraph'))
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
 * The scopes of our own graph. `sdl` is another supergraph. `most` is how many of the fields that a scope opens are
 * named.
 */
export function ownScopes(sdl: string = readSchemaFile('supergraph'), most?: number): ScopeOffer[] {
  const supergraph = loadSupergraph(sdl)
  return scopesOf(supergraph, supergraph.apiSchema, most)
}
