/** The results of a run's targets, as a table. */
import { table } from '../report.ts'
import type { FuzzResult } from './supervise.ts'

export function summaryOf(results: ReadonlyMap<string, FuzzResult>): string {
  const all = [...results.values()]
  const sum = (of: (result: FuzzResult) => number): number => all.reduce((total, each) => total + of(each), 0)
  const row = (name: string, { executions, minutes, functions, corpus, found }: FuzzResult): string[] => [
    name,
    ...[executions, minutes.toFixed(1), functions, corpus, found.length].map(String),
  ]
  return table(
    ['target', 'executions', 'minutes', 'functions reached', 'inputs kept', 'faults'],
    [
      ...[...results].map(([name, result]) => row(name, result)),
      [
        'all',
        String(sum(({ executions }) => executions)),
        sum(({ minutes }) => minutes).toFixed(1),
        '',
        '',
        String(sum(({ found }) => found.length)),
      ],
    ],
  )
}
