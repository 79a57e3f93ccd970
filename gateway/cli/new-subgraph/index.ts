/** `tessera new subgraph NAME`: a new subgraph over a REST service, with types and tests. */
import { join } from 'node:path'
import { version } from '../../telemetry/version.ts'
import { type Command, exitCodes, UsageError } from '../command.ts'
import { supergraphIn, writeFiles } from '../files.ts'
import { formsOf, subgraphFiles } from './files.ts'

export const newCommand: Command = {
  synopsis: 'subgraph NAME [--folder FOLDER]',
  operands: 2,
  options: {
    folder: {
      value: 'FOLDER',
      help: 'the folder of the files; one of the same name by default',
    },
  },
  example: 'tessera new subgraph books',

  async run(args, io) {
    const [what, name] = args.positionals
    if (what !== 'subgraph') throw new UsageError('name what to make: subgraph')
    if (name === undefined || !/^[a-z][a-z0-9]{0,39}s$/.test(name))
      throw new UsageError('the name is a plural in lower-case letters and digits, such as books')
    if (/^(query|mutation|subscription|string|int|float|boolean)s$/.test(name))
      throw new UsageError(`GraphQL has a type of its own for ${name}: choose another name`)
    if (name === 'class' || name === 'this')
      throw new UsageError(`${name} is a word of TypeScript: choose another name`)
    const folder = args.string('folder') ?? name
    const files = subgraphFiles(name)
    writeFiles(folder, files)
    const taken = takenOf(name)
    if (taken !== undefined)
      io.err(
        `tessera new: warning: our own graph has ${taken}, so the two do not compose: choose another name to serve both\n`,
      )
    for (const path of Object.keys(files)) io.out(`${join(folder, path)}\n`)
    io.out(
      `\nNext, in ${folder}: npm install PATH/tessera-graph-${version}.tgz, npm test, npm run check. README.md there says more.\n`,
    )
    return exitCodes.done
  },
}

/** The first field or type of a subgraph of this name that our own graph has, too. */
function takenOf(name: string): string | undefined {
  const { apiSchema } = supergraphIn(undefined)
  const { thing, upper } = formsOf(name)
  const fields = apiSchema.getQueryType()?.getFields() ?? {}
  const field = [thing, name].find((each) => Object.hasOwn(fields, each))
  if (field !== undefined) return `Query.${field}`
  return [upper, `${upper}Connection`, `${upper}Edge`].find((each) => apiSchema.getType(each) !== undefined)
}
