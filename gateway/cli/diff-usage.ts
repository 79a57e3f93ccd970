/** Which requests of clients a schema change breaks, by reports of usage. */
import type { GraphQLSchema } from 'graphql'
import { type BrokenUse, createBrokenUseFinder } from '../../engine/supergraph/compose/broken-uses.ts'
import { counted } from '../../shared/runtime/counted.ts'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import { othersIn, type UsageReport, type Use, usesIn } from '../telemetry/usage/index.ts'
import { summaryOf, toldOf } from './usage.ts'

/** A breaking change, and whom it affects. */
interface Broken extends BrokenUse {
  readonly uses: readonly Readonly<ReturnType<typeof toldOf>>[]
  /** Requests of operations and clients that are no longer known. */
  readonly others: number
}

export function findBroken(
  before: GraphQLSchema,
  after: GraphQLSchema,
  report: UsageReport,
): readonly Broken[] {
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

export function printBroken(broken: readonly Broken[], report: UsageReport): string {
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
export const isComplete = ({ processes }: UsageReport): boolean =>
  processes.length > 0 && processes.every((each) => each.isComplete)
