/** The tables of an overload run, as Markdown. */
import { table } from '../report.ts'
import { type Overload, phaseNames } from './overload.ts'
import { beginningMs, type PhaseResult } from './tally.ts'

export interface OverloadReport {
  readonly found: readonly Overload[]
  readonly what: string
  readonly machine: string
  readonly seconds: number
  readonly connections: number
}

const slowestColumns = ['early', 'new connection', 'p99 later', 'p99 kept'] as const

const whole = (value: number): string => (Number.isFinite(value) ? value.toFixed(0) : '–')

export function printOverload({ found, what, machine, seconds, connections }: OverloadReport): string {
  const parts = [
    '# Overload',
    `${new Date().toISOString().slice(0, 10)}. ${machine}. Asked: ${what}. Open arrivals, phases of ${seconds} s, at most ${connections} connections; Latency counts from when a request was due. Good is a correct response within a second of that. It is given as a share of the highest of any phase, and of the mean of the phases at 1.2× before and after (of its time), because the speed of the machine varies. ${
      found.every(({ pinned }) => pinned)
        ? 'Each candidate has one core for all of its processes, and the clients and the services have the other.'
        : 'Clients, services and candidates share all cores.'
    }`,
    table(
      [
        'candidate',
        'peak/s',
        'good at 1×',
        'at 2×',
        'at 3×',
        'at 8×',
        'at 2× of its time',
        'at 3× of its time',
        'p99 half, ms',
        'p99 3×, ms',
        'refused p99, ms',
        'recovery, ms',
        'MiB before',
        'most',
        'after',
        'connections',
      ],
      found.map((one) => [
        one.name,
        whole(one.peak),
        share(one, phaseNames.once),
        share(one, phaseNames.twice),
        share(one, phaseNames.thrice),
        share(one, phaseNames.eightfold),
        shareOfItsTime(one, phaseNames.twice),
        shareOfItsTime(one, phaseNames.thrice),
        whole(phaseOf(one, phaseNames.half)?.p99 ?? Number.NaN),
        whole(phaseOf(one, phaseNames.thrice)?.p99 ?? Number.NaN),
        whole(phaseOf(one, phaseNames.thrice)?.refusedP99 ?? Number.NaN),
        one.recoveryMs === undefined ? 'never' : whole(one.recoveryMs),
        whole(one.memory.before),
        whole(one.memory.most),
        whole(one.memory.after),
        whole(one.arrivals.mostConnections),
      ]),
    ),
  ]
  for (const one of found) {
    parts.push(
      `## ${one.name}`,
      `Closed loop ${whole(one.closed)}/s; CPU over all phases ${one.busy.toFixed(2)} of a core.`,
      table(
        [
          'phase',
          'due/s',
          'good/s',
          'late/s',
          'refused/s',
          'wrong/s',
          'unanswered/s',
          'p50',
          'p99',
          'refused p50',
          'refused p99',
          'generator late p99',
          'generator stalled',
        ],
        one.arrivals.phases.map((phase) => [
          phase.name,
          whole(phase.rate),
          ...[phase.good, phase.late, phase.refused, phase.wrong, phase.unanswered].map((count) =>
            whole(count / phase.seconds),
          ),
          ...[
            phase.p50,
            phase.p99,
            phase.refusedP50,
            phase.refusedP99,
            phase.ownDelayP99,
            phase.ownStallMs,
          ].map((ms) => (Number.isFinite(ms) ? ms.toFixed(1) : '–')),
        ]),
      ),
    )
    parts.push(
      `The slowest 1 %: the share that was due in the first ${beginningMs} ms of its phase, before overload can be recognised; the share of first requests on a new connection; p99 of requests that were due later, and of those on used connections, in ms.`,
      table(
        [
          'phase',
          ...['accepted', 'refused'].flatMap((what) => slowestColumns.map((name) => `${what}: ${name}`)),
        ],
        one.arrivals.phases.map(({ name, slowest, slowestRefused }) => [
          name,
          ...[slowest, slowestRefused].flatMap(({ early, first, laterP99, keptP99 }) => [
            ...[early, first].map((share) => (Number.isFinite(share) ? share.toFixed(2) : '–')),
            ...[laterP99, keptP99].map((ms) => (Number.isFinite(ms) ? ms.toFixed(1) : '–')),
          ]),
        ]),
      ),
    )
    const firstWrong = one.arrivals.phases.find((phase) => phase.firstWrong !== undefined)?.firstWrong
    if (firstWrong !== undefined) parts.push(`First wrong response: \`${firstWrong.replaceAll('`', "'")}\``)
  }
  return `${parts.join('\n\n')}\n`
}

function phaseOf(one: Overload, name: string): PhaseResult | undefined {
  return one.arrivals.phases.find((phase) => phase.name === name)
}

/** The share of what was good in the phases at 1.2 times before and after it. */
function shareOfItsTime({ arrivals: { phases } }: Overload, name: string): string {
  const at = phases.findIndex((phase) => phase.name === name)
  const isFull = (other: PhaseResult): boolean => other.name === phaseNames.full
  const before = phases.slice(0, at).findLast(isFull)
  const phase = phases[at]
  const after = phases.slice(at + 1).find(isFull)
  if (before === undefined || phase === undefined || after === undefined) return '–'
  const around = (before.good + after.good) / (before.seconds + after.seconds)
  return around === 0 ? '–' : (phase.good / phase.seconds / around).toFixed(2)
}

/** The share of the peak. */
function share(one: Overload, name: string): string {
  const phase = phaseOf(one, name)
  return phase === undefined ? '–' : (phase.good / phase.seconds / one.peak).toFixed(2)
}
