/** The tables of a run, as Markdown that is also readable at a terminal. */
import { type CandidateName, descriptions } from './candidates.ts'
import type { Operation } from './operations.ts'

export interface Figures {
  /** Requests per second. */
  readonly rps: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Microseconds per request, user and system, of all processes of the candidate. */
  readonly cpu: number
}

export interface Result {
  readonly candidate: string
  readonly operation: string
  /** Why the figures do not count. */
  readonly fault: string | undefined
  readonly figures: Figures
  readonly ratios: Figures
  readonly cost: Cost | undefined
}

/** The ratios of the slowest and the fastest of several processes to their mean. */
export interface Spread {
  readonly least: number
  readonly most: number
}

/** The cost of a request for the services. */
export interface Cost {
  readonly calls: number
  readonly units: number
}

export interface ProcessFigures {
  readonly name: string
  readonly count: number
  readonly startMs: number
  /** Mebibytes. */
  readonly idle: number
  readonly resident: number
  readonly peak: number
}

export interface Report {
  readonly results: readonly Result[]
  /** The spread of the ceilings' requests per second, by operation. */
  readonly spreads: ReadonlyMap<string, Spread>
  readonly operations: readonly Operation[]
  readonly processes: readonly ProcessFigures[]
  readonly absent: readonly { readonly name: string; readonly why: string }[]
  readonly machine: string
  readonly versions: string
  readonly how: string
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => (row[at] ?? '').length)))
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(Math.max(1, width - 1))}:`)).join(' | ')} |`
  return [line(head), rule, ...rows.map(line)].join('\n')
}

const whole = (value: number): string => (Number.isFinite(value) ? value.toFixed(0) : '–')
const places = (value: number, digits: number): string =>
  Number.isFinite(value) ? value.toFixed(digits) : '–'

export function printTables(report: Report): string {
  const { results, operations, processes, absent } = report
  const parts = [
    '# Results of the benchmark',
    `${new Date().toISOString().slice(0, 10)}. ${report.machine}. ${report.how}. Clients, services and candidates share the machine.`,
    `Peers: ${report.versions}.`,
  ]
  for (const { name, what } of operations) {
    const rows = results
      .filter(({ operation }) => operation === name)
      .map(({ candidate, fault, figures, ratios, cost }) =>
        fault === undefined
          ? [
              candidate,
              whole(figures.rps),
              places(ratios.rps, 2),
              places(figures.p50, 1),
              places(figures.p99, 1),
              places(ratios.p99, 2),
              whole(figures.cpu),
              places(ratios.cpu, 2),
              cost === undefined ? '–' : places(cost.calls, 2),
              cost === undefined ? '–' : places(cost.units, 2),
            ]
          : [candidate, 'wrong', ...Array.from({ length: 8 }, () => '–')],
      )
    parts.push(`## ${name}: ${what}`)
    parts.push(
      table(
        ['candidate', 'req/s', 'ratio', 'p50 ms', 'p99 ms', 'ratio', 'CPU µs', 'ratio', 'calls', 'units'],
        rows,
      ),
    )
    const spread = report.spreads.get(name)
    if (spread !== undefined)
      parts.push(
        `The ceilings, each in its own process, had ${places(spread.least, 2)} to ${places(spread.most, 2)} of the mean throughput of all.`,
      )
  }
  parts.push('## Processes')
  parts.push(
    table(
      ['candidate', 'processes', 'ready ms', 'idle MiB', 'after MiB', 'peak MiB'],
      processes.map(({ name, count, startMs, idle, resident, peak }) => [
        name,
        String(count),
        whole(startMs),
        whole(idle),
        whole(resident),
        whole(peak),
      ]),
    ),
  )
  const faults = results.filter(({ fault }) => fault !== undefined)
  if (faults.length + absent.length > 0) {
    parts.push('## Not measured')
    parts.push(
      [
        ...absent.map(({ name, why }) => `- ${name} did not start: ${oneLine(why)}`),
        ...faults.map(
          ({ candidate, operation, fault }) =>
            `- ${candidate} answers ${operation} differently from the ceiling: ${oneLine(fault ?? '')}`,
        ),
      ].join('\n'),
    )
  }
  parts.push('## Candidates')
  parts.push(processes.map(({ name }) => `- ${name}: ${descriptions[name as CandidateName]}`).join('\n'))
  return `${parts.join('\n\n')}\n`
}

function oneLine(text: string): string {
  return `\`${text
    .replaceAll(/file:\/\/\S+/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('`', "'")
    .slice(0, 200)}\``
}
