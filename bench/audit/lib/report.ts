/** The table of a run, and the cases as text. */
import { type Case, holes, type Outcome, roads, verdicts } from './types.ts'

export function tableOf(outcomes: readonly Outcome[]): string {
  const shown = verdicts.filter(
    (verdict) => verdict === 'pass' || outcomes.some((one) => one.verdict === verdict),
  )
  const head = ['hole', 'cases', ...[...shown].reverse()]
  const rows = [...holes, 'all'].map((hole) => {
    const own = outcomes.filter((one) => hole === 'all' || one.hole === hole)
    const counts = [...shown].reverse().map((verdict) => own.filter((one) => one.verdict === verdict).length)
    return [hole, String(own.length), ...counts.map((count) => (count === 0 ? '' : String(count)))]
  })
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n')
}

/** How many cases of each road pass. */
export function roadsOf(outcomes: readonly Outcome[]): string {
  return roads
    .map((road) => {
      const own = outcomes.filter((one) => one.road === road)
      const absent = own.filter(({ verdict }) => verdict === 'absent').length
      const passed = own.filter(({ verdict }) => verdict === 'pass').length
      return `${road}: ${absent > 0 && absent === own.length ? 'absent' : `${passed} of ${own.length}`}`
    })
    .join(', ')
}

/** The cases that did not pass, one per line. A road that is not supported is listed once for each graph. */
export function failuresOf(outcomes: readonly Outcome[]): string {
  const absent = new Set<string>()
  return outcomes
    .filter(({ verdict, road, why }) => {
      if (verdict !== 'absent') return verdict !== 'pass'
      const isFirst = !absent.has(road + why)
      absent.add(road + why)
      return isFirst
    })
    .map(({ id, verdict, why }) => `${verdict.padEnd(6)} ${id}\n       ${why}`)
    .join('\n')
}

export function textOf({
  id,
  road,
  graph,
  rule,
  operation,
  variables,
  steps,
  together,
  never,
}: Case): string {
  return [
    `## ${id}`,
    `   ${rule}`,
    `   graph ${graph}, road ${road}${together === true ? ', at the same time' : ''}${never.length === 0 ? '' : `; not asked for: ${never.join(', ')}`}`,
    `   ${operation.replaceAll('\n', '\n   ')}${variables === undefined ? '' : `  ${JSON.stringify(variables)}`}`,
    ...steps.map(
      ({ by, operation: own, variables: given, expect }) =>
        `   - ${by === 'anonymous' ? by : `[${by.join(' ')}]`}${own === undefined ? '' : ` ${own}`}${given === undefined ? '' : ` ${JSON.stringify(given)}`}: ${JSON.stringify(expect)}`,
    ),
    '',
  ].join('\n')
}
