/**
 * The cost of a start: CPU time from the start of the process to its first response, and resident memory two
 * seconds later. It runs the sandbox over this checkout, and over each further checkout that is named, in turns,
 * with medians.
 *
 * `npm run bench -- --start [--against FOLDER]… [--rounds N]`
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { median } from './median.ts'

const { values } = parseArgs({
  options: {
    start: { type: 'boolean' },
    against: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '9' },
  },
})
const checkouts = [fileURLToPath(new URL('..', import.meta.url)), ...values.against]
/** Jiffies per second. */
const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
const query = '{ chartVideos(chart: MOST_POPULAR, first: 2) { totalCount nodes { id snippet { title } } } }'

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the process has no output')
  for await (const line of createInterface(stdout)) {
    const address = /^graph\s+(\S+)/.exec(line)?.[1]
    if (address !== undefined) {
      // Later output is not read, but must not block the process.
      stdout.resume()
      return address
    }
  }
  throw new Error('the gateway ended before it served')
}

function cpuMsOf(pid: number): number {
  // Fields after the name, which may have spaces. The first of them is the state.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticks
}

function residentMbOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

interface Start {
  readonly cpuMs: number
  readonly residentMb: number
}

async function start(checkout: string): Promise<Start> {
  const child = spawn(process.execPath, [join(checkout, 'bin/tessera.js'), 'serve', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TESSERA_LOG_LEVEL: 'error' },
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const { pid } = child
  if (pid === undefined) throw new Error(`${checkout} does not start`)
  try {
    const answer = await fetch(await addressOf(child), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const text = await answer.text()
    if (!text.startsWith('{"data":{"chartVideos"')) throw new Error(`${checkout} answers ${text}`)
    const cpuMs = cpuMsOf(pid)
    await delay(2000)
    return { cpuMs, residentMb: residentMbOf(pid) }
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

const starts = checkouts.map((): Start[] => [])
// The first start of each fills Node's compile cache.
for (const checkout of checkouts) await start(checkout)
for (let round = 0; round < Number(values.rounds); round++)
  for (const [at, checkout] of checkouts.entries()) starts[at]?.push(await start(checkout))

console.log('| checkout | CPU time to the first answer | resident memory |\n|---|---|---|')
const medians = starts.map((each) => ({
  cpuMs: median(each.map(({ cpuMs }) => cpuMs)),
  residentMb: median(each.map(({ residentMb }) => residentMb)),
}))
for (const [at, { cpuMs, residentMb }] of medians.entries())
  console.log(`| ${checkouts[at]} | ${Math.round(cpuMs)} ms | ${Math.round(residentMb)} MB |`)
