/** `tessera plan`: the query plan of an operation over our own or any supergraph, without calling a subgraph. */
import { type DocumentNode, getOperationAST, Kind, validate } from 'graphql'
import { normaliseOver } from '../../engine/operation/normalised.ts'
import { createPlanner, type Plan, PlanError, printPlan } from '../../engine/planner/index.ts'
import { operationRules } from '../../shared/graphql/operation-rules.ts'
import { parseText } from '../../shared/graphql/parse-text.ts'
import { type Command, CommandError, exitCodes, orFail, UsageError } from './command.ts'
import { readText, supergraphIn, syntaxFault } from './files.ts'

export const planCommand: Command = {
  synopsis: 'FILE [--supergraph FILE] [--operation NAME] [--label L …]',
  operands: 1,
  options: {
    supergraph: { value: 'FILE', help: 'the graph of the operation; our own by default' },
    operation: { value: 'NAME', help: 'the operation, if the file has several' },
    label: {
      multiple: true,
      value: 'L',
      help: 'a label of @override whose fields are moved; none by default',
    },
  },
  example: 'tessera plan query.graphql --supergraph supergraph.graphql',

  async run(args, io) {
    const [file] = args.positionals
    if (file === undefined) throw new UsageError('the file with the operation is missing')
    const supergraph = supergraphIn(args.string('supergraph'))
    const text = readText(file)
    const document = orFail(
      () => parseText(text),
      (error) => syntaxFault(file, error),
    )
    const faults = validate(supergraph.apiSchema, document, operationRules)
    if (faults.length > 0)
      throw new CommandError(faults.map((fault) => syntaxFault(file, fault)).join('\n  '))
    const operation = getOperationAST(document, args.string('operation'))
    if (operation == null) throw noOperation(file, document)
    const moved = new Set(args.strings('label'))
    let plan: Plan
    try {
      plan = createPlanner(supergraph).plan({
        operation: normaliseOver(supergraph.apiSchema, document, operation),
        decide: (label) => moved.has(label),
      })
    } catch (error) {
      if (!(error instanceof PlanError)) throw error
      throw new CommandError(error.message)
    }
    io.out(`${printPlan(plan)}\n`)
    return exitCodes.done
  },
}

function noOperation(file: string, { definitions }: DocumentNode): UsageError {
  const names = definitions.flatMap((each) =>
    each.kind === Kind.OPERATION_DEFINITION ? [each.name?.value ?? 'one without a name'] : [],
  )
  return new UsageError(`--operation has to name an operation of ${file}: ${names.join(', ')}`)
}
