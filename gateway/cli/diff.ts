/**
 * `tessera diff`: what a schema change means to clients, for people and for CI. Reports of usage tell which of their requests
 * it breaks.
 */
import { buildASTSchema, type GraphQLSchema, isScalarType, isSpecifiedScalarType } from 'graphql'
import { type BrokenUse, createBrokenUseFinder } from '../../engine/supergraph/compose/broken-uses.ts'
import { findChanges, type Severity } from '../../engine/supergraph/compose/schema-changes.ts'
import { loadSupergraph } from '../../engine/supergraph/index.ts'
import { parseText } from '../../shared/graphql/parse-text.ts'
import { canonicalJson } from '../../shared/json/canonical-json.ts'
import { counted } from '../../shared/runtime/counted.ts'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'
import { othersIn, type UsageReport, type Use, usesIn } from '../telemetry/usage/index.ts'
import { type Command, exitCodes, firstLineOf, UsageError } from './command.ts'
import { placeIn, readText } from './files.ts'
import { readReports, summaryOf, toldOf } from './usage.ts'

/** The schema in a file, which is a supergraph or the schema that clients see. */
function schemaIn(file: string): GraphQLSchema {
  const text = readText(file)
  try {
    const isSupergraph = text.includes('@join__graph(')
    return comparable(buildASTSchema(isSupergraph ? loadSupergraph(text).apiDocument : parseText(text)))
  } catch (error) {
    throw new Error(`${placeIn(file, error)}: ${firstLineOf(error)}`, { cause: error })
  }
}

/** graphql compares defaults as texts, and has none for a list or an object of a custom scalar. */
function comparable(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isScalarType(type) || isSpecifiedScalarType(type)) continue
    type.serialize = (value) => (typeof value === 'object' ? canonicalJson(value) : value)
  }
  return schema
}

const severities: readonly Severity[] = ['breaking', 'dangerous', 'safe']

export const diffCommand: Command = {
  synopsis: 'OLD NEW [--json] [--fail-on breaking|dangerous|never] [--usage URL|FILE …]',
  operands: 2,
  options: {
    json: { help: 'as JSON: { "breaking": [], "dangerous": [], "safe": [] }' },
    'fail-on': {
      value: 'WHAT',
      help: 'exit with 1 if there are such changes; breaking by default',
    },
    usage: {
      multiple: true,
      value: 'URL|FILE',
      help: 'what clients use (tessera usage): breaking changes fail only if they break a client',
    },
  },
  example: 'tessera diff main/supergraph.graphql supergraph.graphql --fail-on dangerous',

  async run(args, io) {
    const [before, after] = args.positionals
    if (before === undefined || after === undefined)
      throw new UsageError('expected two files: the old schema and the new one')
    const failOn = args.string('fail-on') ?? 'breaking'
    if (failOn !== 'breaking' && failOn !== 'dangerous' && failOn !== 'never')
      throw new UsageError(`--fail-on takes breaking, dangerous or never, not ${failOn}`)
    const usage = args.strings('usage')
    let report: UsageReport | undefined
    let changes: ReturnType<typeof findChanges>
    let broken: ReturnType<typeof findBroken> = []
    try {
      if (usage.length > 0) report = await readReports(usage, io.env.TESSERA_ADMIN_TOKEN)
      const [old, next] = [schemaIn(before), schemaIn(after)]
      changes = findChanges(old, next)
      if (report !== undefined) broken = findBroken(old, next, report)
    } catch (error) {
      io.err(`tessera diff: ${messageOf(error)}\n`)
      return exitCodes.usage
    }
    const of = (wanted: Severity) => changes.filter(({ severity }) => severity === wanted)
    if (args.flag('json')) {
      const bySeverity = severities.map((severity) => [
        severity,
        of(severity).map(({ kind, description }) => ({ kind, description })),
      ])
      const used = report === undefined ? [] : [['broken', broken]]
      io.out(`${JSON.stringify(Object.fromEntries([...bySeverity, ...used]), null, 2)}\n`)
    } else if (changes.length === 0) io.out('Clients see no change.\n')
    else
      for (const { severity, kind, description } of changes)
        io.out(`${severity.padEnd(10)} ${kind.padEnd(28)} ${description}\n`)
    if (report !== undefined && !args.flag('json') && of('breaking').length > 0)
      io.out(printBroken(broken, report))
    const breaks = report === undefined || !isComplete(report) ? of('breaking').length > 0 : broken.length > 0
    const fails = (failOn !== 'never' && breaks) || (failOn === 'dangerous' && of('dangerous').length > 0)
    return fails ? exitCodes.failed : exitCodes.done
  },
}

/** A breaking change, and whom it affects. */
interface Broken extends BrokenUse {
  readonly uses: readonly Readonly<ReturnType<typeof toldOf>>[]
  /** Requests of operations and clients that are no longer known. */
  readonly others: number
}

function findBroken(before: GraphQLSchema, after: GraphQLSchema, report: UsageReport): readonly Broken[] {
  const breakOf = createBrokenUseFinder(before, after)
  const broken = new Map<string, { readonly found: BrokenUse; readonly uses: Use[]; others: number }>()
  const at = (coordinate: string) => {
    const found = breakOf(coordinate)
    return found && getOrInsert(broken, coordinate, () => ({ found, uses: [], others: 0 }))
  }
  for (const use of usesIn(report))
    for (const coordinate of use.operation.coordinates) at(coordinate)?.uses.push(use)
  for (const [coordinate, count] of othersIn(report)) {
    const known = at(coordinate)
    if (known !== undefined) known.others += count
  }
  return [...broken.values()].map(({ found, uses, others }) => ({
    ...found,
    uses: uses.map(toldOf).sort((a, b) => b.count - a.count),
    others,
  }))
}

const mostTold = 20

/** The name of a coordinate, including our own additions. */
const nameOf = (coordinate: string): string =>
  coordinate.endsWith('-')
    ? `${coordinate.slice(0, -1)} when it is left out`
    : coordinate.startsWith('$')
      ? `${coordinate.slice(1)} in a variable`
      : coordinate

function printBroken(broken: readonly Broken[], report: UsageReport): string {
  if (broken.length === 0) return `No request uses what breaks: ${summaryOf(report)}.\n`
  const lines = broken.flatMap(({ coordinate, what, uses, others }) => [
    `broken     ${nameOf(coordinate)} ${what}`,
    ...uses
      .slice(0, mostTold)
      .map(
        ({ operation, client, count, last }) =>
          `  ${operation}  ${client}  ${counted(count, 'request')}, last ${last.slice(0, 10)}`,
      ),
    ...(uses.length > mostTold ? [`  and ${uses.length - mostTold} more`] : []),
    ...(others === 0 ? [] : [`  others  ${counted(others, 'request')}`]),
  ])
  return `${lines.join('\n')}\n${summaryOf(report)}.\n`
}

/** If the reports are incomplete, they cannot prove that nobody is affected. */
const isComplete = ({ processes }: UsageReport): boolean =>
  processes.length > 0 && processes.every((each) => each.isComplete)
