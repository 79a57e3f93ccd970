/**
 * `npm run bench -- --fast`: the gain of each piece of `fast/` if the services' responses change from request to
 * request. Two processes take turns, one with the piece and one with the plain implementation. The result is the
 * CPU time per request of all their processes.
 */
import type { FastParts } from '../gateway/fast.ts'
import { ask, dataOf } from './answers.ts'
import { type Candidate, type CandidateName, createStarter, refusingNone } from './candidates.ts'
import type { LoadResult, LoadTask } from './load.ts'
import { type Operation, operationNamed } from './operations.ts'
import { startWorker } from './processes.ts'
import { compareInTurns } from './turns.ts'

interface Piece {
  readonly candidate: CandidateName
  /** How the plain implementation is selected. */
  readonly plain: { readonly part: keyof FastParts } | { readonly env: Readonly<Record<string, string>> }
}

const pieces = {
  'parse-body': { candidate: 'tessera', plain: { part: 'parseBody' } },
  frames: { candidate: 'tessera-http', plain: { env: { TESSERA_SUBGRAPH_FRAMES: 'false' } } },
} as const satisfies Readonly<Record<string, Piece>>

export type PieceName = keyof typeof pieces
export const pieceNames = Object.keys(pieces) as readonly PieceName[]

const measured = ['Q1', 'Q2', 'Q3', 'Q4'].map((name) => operationNamed(name))

export interface FastOptions {
  readonly rounds: number
  readonly seconds: number
  readonly names: readonly PieceName[]
  readonly machine: string
}

/** Returns the table as Markdown. */
export async function measureFast({ rounds, seconds, names, machine }: FastOptions): Promise<string> {
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
  for (const name of names) {
    const { candidate, plain } = (pieces as Readonly<Record<PieceName, Piece>>)[name]
    const served = await createStarter(url).start(candidate)
    const without = await ('part' in plain
      ? createStarter(url, refusingNone, [], plain.part)
      : createStarter(url, { ...refusingNone, ...plain.env })
    ).start(candidate)
    for (const operation of measured) await compareAnswers(served, without, operation)
    for (const operation of measured) for (const one of [served, without]) await load(one, operation, 2)
    const gains: string[] = []
    for (const operation of measured) {
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
    '# Gain of the code that exists only for speed',
    '',
    `CPU time per request that is saved: the median of ${rounds} rounds of ${seconds} s, with the lowest and the highest. ${new Date().toISOString().slice(0, 10)}, ${machine}.`,
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
