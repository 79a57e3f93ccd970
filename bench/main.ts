/**
 * `npm run bench`: every candidate and every operation, in turn and in rounds, each against the ceiling beside it.
 * Answers are held against the ceiling's before the clock starts and on a sample while it runs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { messageOf } from '../subgraphs/lib/thrown.ts'
import { readArguments } from './arguments.ts'
import { type Candidate, type CandidateName, candidateNames, createCast } from './candidates.ts'
import { type Duel, fight } from './duel.ts'
import { measureEndurance } from './endurance.ts'
import type { LoadResult, LoadTask } from './load.ts'
import { bodyOf, type Operation, operations } from './operations.ts'
import { readOptions, usage } from './options.ts'
import { endAll, endAllWithUs, peakOf, residentOf, startWorker } from './processes.ts'
import { type Cost, type Figures, printTables, type Standing } from './report.ts'
import type { UpstreamCounts } from './upstream.ts'

const options = readArguments('bench', usage, readOptions)

/** The same JSON whatever the order of its members: peers write them as they like. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, canonical(member)]),
  )
}

async function ask(candidate: Candidate, operation: Operation, index: number): Promise<string> {
  const response = await fetch(candidate.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...candidate.headers },
    body: bodyOf(operation, index),
    signal: AbortSignal.timeout(30_000),
  })
  return response.text()
}

function dataOf(text: string): string {
  let answer: { data?: unknown; errors?: unknown }
  try {
    answer = JSON.parse(text)
  } catch {
    return `no JSON: ${text.slice(0, 300)}`
  }
  if (answer.errors !== undefined) return `errors: ${JSON.stringify(answer.errors).slice(0, 600)}`
  return JSON.stringify(canonical(answer.data))
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/**
 * Load before anything is measured: most of what V8 compiles is compiled by then. Several times through all
 * operations, because what was compiled for the first is compiled anew when it meets the next.
 */
const warm = { passes: 3, seconds: 1.2 }

/** `graphql-js` is there for one operation only. */
function takesPart(candidate: Candidate, operation: Operation): boolean {
  return candidate.name !== 'graphql-js' || operation.name === 'Q5typed'
}

/**
 * A candidate and a ceiling of its own: both have had the same work, and the same rest while others had theirs.
 * One ceiling for all would have had ten times the work of whom it is held against, and V8 goes on for a long time
 * to make faster what runs.
 */
interface Pair {
  readonly candidate: Candidate
  readonly ceiling: Candidate
}

async function compete(): Promise<void> {
  const { rounds, seconds, operations: races } = options

  const upstream = startWorker('./upstream.ts')
  const { url } = await upstream.hear<{ url: string }>()
  const clients = startWorker('./load.ts')
  const cast = createCast(url)
  const counts = () => upstream.ask<UpstreamCounts>('count')
  const load = (
    candidate: Candidate,
    operation: Operation,
    seconds: number,
    from: number,
    requests?: number,
  ) => {
    const task: LoadTask = {
      url: candidate.url,
      headers: candidate.headers,
      operation: operation.name,
      seconds,
      from,
      requests,
    }
    return clients.ask<LoadResult>({ ...task })
  }

  const pairs: Pair[] = []
  const absent: { name: CandidateName; why: string }[] = []
  const named = options.candidates.filter((name) => name !== 'ceiling')
  // Alone, the ceiling is its own opponent.
  for (const name of named.length === 0 ? (['ceiling'] as const) : named) {
    try {
      pairs.push({ candidate: await cast.start(name), ceiling: await cast.start('ceiling') })
      console.log(`started ${name}`)
    } catch (error) {
      const why = messageOf(error)
      absent.push({ name, why })
      console.log(`${name} did not start: ${why.slice(0, 600)}`)
    }
  }
  const [first] = pairs
  if (first === undefined) throw new Error('nobody started')
  /** Whom the tables have: of the ceilings, which are all the same, one. */
  const shown =
    first.candidate.name === 'ceiling'
      ? [first.candidate]
      : [first.ceiling, ...pairs.map(({ candidate }) => candidate)]
  const idle = new Map(shown.map((one) => [one, residentOf(one.pids)]))

  // Nobody is timed whose answers are not right.
  const wrong = new Map<string, string>()
  for (const operation of races) {
    for (const { candidate, ceiling } of pairs) {
      if (!takesPart(candidate, operation)) continue
      for (const index of [3, 8, 11, 3]) {
        try {
          const [expected, given] = [
            dataOf(await ask(ceiling, operation, index)),
            dataOf(await ask(candidate, operation, index)),
          ]
          if (expected !== given || !expected.startsWith('{')) {
            wrong.set(`${candidate.name} ${operation.name}`, given.slice(0, 300))
          }
        } catch (error) {
          wrong.set(`${candidate.name} ${operation.name}`, String(error).slice(0, 300))
        }
      }
    }
  }
  for (const [what, text] of wrong) console.log(`wrong: ${what}: ${text}`)

  const isRunning = (candidate: Candidate, operation: Operation): boolean =>
    takesPart(candidate, operation) && !wrong.has(`${candidate.name} ${operation.name}`)
  const running = (operation: Operation): readonly Pair[] =>
    pairs.filter(({ candidate }) => isRunning(candidate, operation))
  for (let pass = 0; pass < warm.passes; pass++) {
    for (const operation of races) {
      for (const { candidate, ceiling } of running(operation)) {
        for (const one of [ceiling, candidate]) await load(one, operation, warm.seconds, 0)
      }
    }
  }
  const costs = new Map<string, Cost>()
  for (const operation of races) {
    for (const one of shown) {
      if (!isRunning(one, operation)) continue
      // Thirty-two clients at once: what they cost the services together.
      const before = await counts()
      const result = await load(one, operation, 5, 100, operation.connections * 10)
      const after = await counts()
      costs.set(`${one.name} ${operation.name}`, {
        calls: (after.calls - before.calls) / result.requests,
        units: (after.units - before.units) / result.requests,
      })
    }
  }

  const measured = new Map<string, Duel[]>()
  for (let round = 0; round < rounds; round++) {
    for (const operation of races) {
      const order = running(operation)
      for (const { candidate, ceiling } of round % 2 === 0 ? order : order.toReversed()) {
        const key = `${candidate.name} ${operation.name}`
        const from = (round * 613) % 5000
        const duel = await fight(ceiling, candidate, seconds, (one, turn) => load(one, operation, turn, from))
        for (const { index, text } of duel.candidate.samples) {
          const expected = await ask(ceiling, operation, index)
          if (text !== expected && dataOf(text) !== dataOf(expected))
            wrong.set(key, `under load: ${text.slice(0, 300)}`)
        }
        for (const [{ name }, { failures, firstFailure }] of [
          [ceiling, duel.ceiling],
          [candidate, duel.candidate],
        ] as const) {
          if (failures > 0)
            wrong.set(`${name} ${operation.name}`, `${failures} failures: ${firstFailure ?? ''}`)
        }
        measured.set(key, [...(measured.get(key) ?? []), duel])
      }
    }
    console.log(`round ${round + 1} of ${rounds}`)
  }

  const standings: Standing[] = []
  for (const operation of races) {
    const fought = (one: Candidate): readonly Duel[] => measured.get(`${one.name} ${operation.name}`) ?? []
    const ceilings = pairs
      .flatMap(({ candidate }) => fought(candidate))
      .map(({ ceiling }): Duel => ({ ceiling, candidate: ceiling }))
    for (const candidate of shown) {
      const key = `${candidate.name} ${operation.name}`
      if (!takesPart(candidate, operation)) continue
      const duels = candidate === first.ceiling ? ceilings : fought(candidate)
      const middle = (of: keyof Figures): number => median(duels.map((duel) => duel.candidate.figures[of]))
      const ratio = (of: keyof Figures): number =>
        median(duels.map((duel) => duel.candidate.figures[of] / duel.ceiling.figures[of]))
      standings.push({
        candidate: candidate.name,
        operation: operation.name,
        fault: wrong.get(key),
        figures: { rps: middle('rps'), p50: middle('p50'), p99: middle('p99'), cpu: middle('cpu') },
        ratios: { rps: ratio('rps'), p50: ratio('p50'), p99: ratio('p99'), cpu: ratio('cpu') },
        cost: costs.get(key),
      })
    }
  }
  const text = printTables({
    standings,
    operations: races,
    processes: shown.map((candidate) => ({
      name: candidate.name,
      count: candidate.pids.length,
      startMs: candidate.startMs,
      idle: idle.get(candidate) ?? Number.NaN,
      resident: residentOf(candidate.pids),
      peak: peakOf(candidate.pids),
    })),
    absent,
    machine: machine(),
    versions: versions(),
    how: `${rounds} rounds of ${seconds} s, in which each candidate and a ceiling of its own take turns; medians of the rounds, and of their ratios`,
  })
  console.log(text)
  keep(text, options.candidates.length === candidateNames.length && races.length === operations.length)
}

function keep(text: string, whole: boolean): void {
  const file = options.out !== '' ? options.out : whole ? new URL('RESULTS.md', import.meta.url) : undefined
  if (file !== undefined) writeFileSync(file, text)
}

function machine(): string {
  const [cpu] = cpus()
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Node ${process.version}`
}

function versions(): string {
  const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
    dependencies: Record<string, string>
  }
  return Object.entries(dependencies)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')
}

endAllWithUs()
try {
  if (options.help) console.log(usage)
  else if (options.endurance) {
    const text = await measureEndurance({
      distinct: options.distinct,
      requests: options.requests,
      machine: machine(),
    })
    console.log(text)
    if (options.out !== '') writeFileSync(options.out, text)
    else writeFileSync(new URL('ENDURANCE.md', import.meta.url), text)
  } else await compete()
} finally {
  endAll()
}
process.exit()
