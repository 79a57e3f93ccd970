/**
 * What clients notice of the reload of a large supergraph: a small request is sent every ten milliseconds, whether the
 * last one was answered or not, so that each blocked moment counts.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Started } from './processes.ts'

const everyMs = 10
const quietMs = 2000

async function timeOf(url: string): Promise<number> {
  const started = performance.now()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ __typename }"}',
  })
  await response.arrayBuffer()
  return performance.now() - started
}

/** The 99th percentile of requests until then, in milliseconds. */
async function p99While(url: string, until: () => boolean): Promise<number> {
  const times: Promise<number>[] = []
  while (!until()) {
    times.push(timeOf(url))
    await delay(everyMs)
  }
  const sorted = (await Promise.all(times)).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0
}

export interface ReloadFigures {
  readonly quietP99: number
  readonly reloadP99: number
}

/** `file` is the supergraph that the gateway serves; it is written again with a comment more. */
export async function measureReload({ found, pid }: Started, file: string): Promise<ReloadFigures> {
  const ready = new URL('/health/ready', found)
  const generation = async (): Promise<number> =>
    ((await (await fetch(ready)).json()) as { generation: { number: number } }).generation.number
  for (let warm = 0; warm < 50; warm++) await timeOf(found)
  const end = performance.now() + quietMs
  const quietP99 = await p99While(found, () => performance.now() > end)
  const before = await generation()
  writeFileSync(file, `# again\n${readFileSync(file, 'utf8')}`)
  process.kill(pid, 'SIGHUP')
  let isDone = false
  const waited = (async () => {
    while ((await generation()) === before) await delay(100)
    isDone = true
  })()
  const reloadP99 = await p99While(found, () => isDone)
  await waited
  return { quietP99, reloadP99 }
}
