/**
 * What rounds do not show: the time of an operation that was never seen before, and whether memory stays flat over
 * many of them and over many requests. Also how soon the gateway is ready, and its memory afterwards.
 */
import { type Candidate, createStarter } from './candidates.ts'
import type { LoadResult } from './load.ts'
import { residentOf, startWorker } from './processes.ts'
import { table } from './report.ts'

export interface EnduranceOptions {
  readonly distinct: number
  readonly requests: number
  readonly machine: string
}

/** Within this time a server without requests returns its memory (`gateway/cli/idle-memory.ts`). */
const restMs = 70_000

const selections = [
  'videoId snippet { title }',
  'videoId snippet { title channelTitle } statistics { viewCount }',
  'etag snippet { title description } contentDetails { duration }',
  'videoId commentThreads(first: 5) { nodes { threadId topLevelComment { textDisplay } } }',
]

/** Each has another text and another plan. */
function distinctOperation(index: number): string {
  const selection = selections[index % selections.length] ?? ''
  return JSON.stringify({
    query: `query D${index}($id: ID!, $m: ID!) { a${index}: video(videoId: $id) { ${selection} } b${index}: message(messageId: $m) { text authorId } }`,
    variables: { id: `syn${index % 500}`, m: '7700000000000010001' },
  })
}

async function timed({ url, headers }: Candidate, body: string): Promise<number> {
  const began = performance.now()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  const text = await response.text()
  if (text.includes('"errors"')) throw new Error(text.slice(0, 600))
  return performance.now() - began
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}

export async function measureEndurance(options: EnduranceOptions): Promise<string> {
  const upstream = startWorker('./upstream.ts')
  const { url } = await upstream.hear<{ url: string }>()
  const gateway = await createStarter(url).start('tessera')
  const rows: string[][] = [['ready', `${gateway.startMs.toFixed(0)} ms`]]
  const resident = (): number => residentOf(gateway.pids)
  rows.push(['resident memory when ready', `${resident().toFixed(0)} MiB`])

  const first: number[] = []
  for (let index = 0; index < 1000; index++) first.push(await timed(gateway, distinctOperation(index)))
  first.sort((a, b) => a - b)
  rows.push(['a new operation, median of 1,000', `${at(first, 0.5).toFixed(2)} ms`])
  rows.push(['a new operation, p99 of 1,000', `${at(first, 0.99).toFixed(2)} ms`])

  const memory: number[] = [resident()]
  for (let index = 1000; index < options.distinct; ) {
    const until = Math.min(options.distinct, index + 2000)
    const asker = async (): Promise<void> => {
      while (index < until) {
        const mine = index
        index += 1
        await timed(gateway, distinctOperation(mine))
      }
    }
    await Promise.all(Array.from({ length: 8 }, asker))
    memory.push(resident())
  }
  rows.push([
    `resident over ${options.distinct} distinct operations, every 2,000`,
    `${memory.map((value) => value.toFixed(0)).join(' ')} MiB`,
  ])

  const clients = startWorker('./load.ts')
  const many: number[] = [resident()]
  const slices = 10
  for (let slice = 0; slice < slices; slice++) {
    const result = await clients.ask<LoadResult>({
      url: gateway.url,
      headers: gateway.headers,
      operation: 'Q1',
      seconds: 600,
      requests: Math.ceil(options.requests / slices),
      from: slice * 500,
    })
    if (result.failures > 0) throw new Error(result.firstFailure)
    many.push(resident())
  }
  rows.push([
    `resident over ${options.requests} requests, every tenth of them`,
    `${many.map((value) => value.toFixed(0)).join(' ')} MiB`,
  ])
  await new Promise((resolve) => setTimeout(resolve, restMs))
  rows.push(['resident after a minute of rest', `${resident().toFixed(0)} MiB`])
  return `# Endurance\n\n${new Date().toISOString().slice(0, 10)}. ${options.machine}. \`tessera serve\` from its sources.\n\n${table(['what', 'measured'], rows)}\n`
}
