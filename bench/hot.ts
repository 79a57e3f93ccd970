/**
 * `npm run bench -- --hot`: what each piece of code that exists only for speed gains. Two processes take turns, one as
 * it is served and one without that piece (`TESSERA_PLAIN=<name>`), on the operations where it matters; what counts is
 * the CPU time a request of all their processes.
 */
import { type HotName, hotNames } from '../contract/hot/switch.ts'
import { ask, dataOf } from './answers.ts'
import { type Candidate, type CandidateName, createStarter, refusingNone } from './candidates.ts'
import type { LoadResult, LoadTask } from './load.ts'
import { type Operation, operationNamed } from './operations.ts'
import { startWorker } from './processes.ts'
import { compareInTurns } from './turns.ts'

interface Piece {
  readonly candidate: CandidateName
  readonly operations: readonly string[]
}

/** Where each piece is at work, or the command that shows what is lost without it. */
const pieces: Readonly<Record<HotName, Piece | string>> = {
  checker: { candidate: 'tessera-http', operations: ['Q2', 'Q5raw'] },
  compiled: { candidate: 'tessera', operations: ['Q1', 'Q2', 'Q3', 'Q4'] },
  'parse-body': { candidate: 'tessera', operations: ['Q1', 'Q2', 'Q3'] },
  'parse-parts': { candidate: 'tessera', operations: ['Q2'] },
  serving: { candidate: 'tessera', operations: ['Q1', 'Q2', 'Q3', 'Q4'] },
  writer: { candidate: 'tessera', operations: ['Q1', 'Q2', 'Q4'] },
}

export interface HotOptions {
  readonly rounds: number
  readonly seconds: number
  /** Empty for all. */
  readonly names: readonly HotName[]
  readonly machine: string
}

/** The table as Markdown. */
export async function measureHot({ rounds, seconds, names, machine }: HotOptions): Promise<string> {
  const upstream = startWorker('./upstream.ts')
  const { url } = await upstream.hear<{ url: string }>()
  const clients = startWorker('./load.ts')
  const load = (one: Candidate, operation: Operation, time: number): Promise<LoadResult> => {
    const task: LoadTask = {
      url: one.url,
      headers: one.headers,
      operation: operation.name,
      seconds: time,
      from: 0,
    }
    return clients.ask<LoadResult>({ ...task })
  }
  const lines: string[] = []
  for (const name of names.length === 0 ? hotNames : names) {
    const piece = pieces[name]
    if (typeof piece === 'string') {
      lines.push(`| \`${name}\` | – | \`${piece}\` |`)
      console.log(lines.at(-1))
      continue
    }
    const { candidate, operations } = piece
    const served = await createStarter(url).start(candidate)
    const without = await createStarter(url, { ...refusingNone, TESSERA_PLAIN: name }).start(candidate)
    const chosen = operations.map((each) => operationNamed(each))
    for (const operation of chosen) await compareAnswers(served, without, operation)
    for (const operation of chosen) for (const one of [served, without]) await load(one, operation, 2)
    const gains: string[] = []
    for (const operation of chosen) {
      const ratios: number[] = []
      for (let round = 0; round < rounds; round++) {
        const found = await compareInTurns(served, without, seconds, (one, time) =>
          load(one, operation, time),
        )
        ratios.push(found.ceiling.figures.cpu / found.candidate.figures.cpu)
      }
      ratios.sort((one, other) => one - other)
      const percent = (ratio = Number.NaN): string => ((1 - ratio) * 100).toFixed(1)
      const middle = percent(ratios[Math.floor(ratios.length / 2)])
      gains.push(`${operation.name} ${middle} % (${percent(ratios.at(-1))} to ${percent(ratios[0])})`)
    }
    lines.push(`| \`${name}\` | ${candidate} | ${gains.join('; ')} |`)
    console.log(lines.at(-1))
    for (const pid of [...served.pids, ...without.pids]) process.kill(pid, 'SIGTERM')
  }
  return `${[
    '# What the code that exists only for speed gains',
    '',
    `CPU time a request that is saved: the median of ${rounds} rounds of ${seconds} s, and the least and the most. ${machine}.`,
    '',
    '| without | candidate | saved |',
    '|---|---|---|',
    ...lines,
  ].join('\n')}\n`
}

async function compareAnswers(served: Candidate, without: Candidate, operation: Operation): Promise<void> {
  for (const index of [3, 8]) {
    const [one, other] = [await ask(served, operation, index), await ask(without, operation, index)]
    if (dataOf(one) !== dataOf(other))
      throw new Error(`${operation.name}: ${one.slice(0, 300)} | ${other.slice(0, 300)}`)
  }
}
