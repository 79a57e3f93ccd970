/** `tessera contract`: a supergraph for some clients, who see only what its tags select. */
import { print } from 'graphql'
import { withoutRepeats } from '../../engine/supergraph/compose/composition-hints.ts'
import { composeContract } from '../../engine/supergraph/compose/contract.ts'
import type { SubgraphSource } from '../../engine/supergraph/compose/index.ts'
import { loadSupergraph } from '../../engine/supergraph/index.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'
import { type Command, exitCodes, orFail, UsageError } from './command.ts'
import { readGraphql, writeOut } from './files.ts'

/** Reads `NAME=FILE` or `NAME@URL=FILE`. */
function sourceFrom(text: string): SubgraphSource {
  const [, name, url, file] = /^([^=@]+)(?:@(https?:\/\/[^=]+))?=(.+)$/.exec(text) ?? []
  if (name === undefined || file === undefined)
    throw new UsageError(`--subgraph expects NAME=FILE or NAME@URL=FILE, not ${text}`)
  return { name, url: url ?? `http://127.0.0.1/${name}`, typeDefs: readGraphql(file) }
}

export const contractCommand: Command = {
  synopsis: '--subgraph NAME[@URL]=FILE … [--include TAG …] [--exclude TAG …] [--api] [--out FILE]',
  options: {
    subgraph: {
      multiple: true,
      value: 'S',
      help: 'a subgraph, by name and SDL: NAME=FILE or NAME@URL=FILE',
    },
    include: {
      multiple: true,
      value: 'TAG',
      help: 'keep only elements with one of these tags',
    },
    exclude: {
      multiple: true,
      value: 'TAG',
      help: 'remove elements with one of these tags',
    },
    api: { help: 'write the schema that clients see instead of the supergraph' },
    out: { value: 'FILE', help: 'the output; the terminal by default' },
  },
  example: 'tessera contract --subgraph products=products.graphql --exclude internal --out public.graphql',

  async run(args, io) {
    const sources = args.strings('subgraph').map(sourceFrom)
    const tags = { include: args.strings('include'), exclude: args.strings('exclude') }
    if (sources.length === 0) throw new UsageError('--subgraph is missing: name at least one')
    if (tags.include.length + tags.exclude.length === 0)
      throw new UsageError('--include or --exclude is missing')
    const both = tags.include.find((tag) => tags.exclude.includes(tag))
    if (both !== undefined) throw new UsageError(`the tag ${both} cannot be included and excluded`)
    const composition = orFail(() => composeContract(sources, tags), messageOf)
    if (composition.errors !== undefined) {
      io.err('tessera contract: the contract cannot be composed:\n')
      for (const message of withoutRepeats(composition.errors.map((error) => error.message)))
        io.err(`  ${message}\n`)
      return exitCodes.failed
    }
    const text = args.flag('api')
      ? print(loadSupergraph(composition.supergraph).apiDocument)
      : composition.supergraph
    writeOut(`${text.trimEnd()}\n`, args, io)
    return exitCodes.done
  },
}
