/**
 * `npm run soak`: mixed reads and writes for minutes, at a share of the throughput that was measured just before,
 * while services fail at random. At the end every response was right or an honest error, the services made exactly
 * the acknowledged writes, and memory did not grow. The exit code says whether all of that holds.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { SignJWT } from 'jose'
import { Pool } from 'undici'
import { messageOf } from '../shared/runtime/thrown.ts'
import { readArguments } from './arguments.ts'
import { cpuOf, endAll, endAllWithUs, peakOf, residentOf, start, startWorker } from './processes.ts'
import { startFaults } from './soak/faults.ts'
import { type Answer, judge } from './soak/judge.ts'
import { type Sample, trendOf } from './soak/memory.ts'
import { type Asked, expectedOf, mutationOf, nextWrite, reads, type WriteField } from './soak/operations.ts'
import { readSoakOptions, usage } from './soak/options.ts'
import { createRandom } from './soak/random.ts'
import { reachableOf } from './soak/reachable-memory.ts'
import type { Written } from './soak/services.ts'
import { createWriteRecord, type Ending } from './soak/writes.ts'

/** Short, so that calls that hang end while others continue. */
const timeoutMs = 1000
const writeShare = 0.25
/** Further clients would only wait. */
const mostAtOnce = 512
const calibrationClients = 64
const faultEveryMs = 60

/** How long a heap takes to find its size, in seconds. Resident memory says nothing before. */
const settlingSeconds = 60

/**
 * How much resident memory may grow over the measured time of a settled process, in mebibytes. It still varies by
 * about one body of the largest faults. This finds memory that the garbage collector does not see.
 */
const allowedGrowthMiB = 48

/**
 * How much reachable memory may grow from before the faults to the end, in mebibytes. A process that keeps 64 bytes
 * of each request would exceed it in a run of a minute and a half.
 */
const allowedReachableMiB = 16

const scope =
  'media.read media.write agents.read agents.write agents.detect tweet.read users.read like.read like.write metrics.read'
const secret = 'a secret of the soak, shared by all of it'

interface Counts {
  answers: number
  whole: number
  /** Responses with honest errors. */
  honest: number
  readonly codes: Map<string, number>
  readonly wrong: string[]
  /** Milliseconds of complete responses. */
  readonly times: number[]
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}

/** Enough for a percentile of any number of responses. */
const keptTimes = 200_000

async function soak(seconds: number, seed: number, load: number): Promise<boolean> {
  const random = createRandom(seed)
  const services = startWorker('./soak/services.ts')
  const { url } = await services.hear<{ url: string }>()
  const gateway = await start(
    ['--inspect=127.0.0.1:0', 'gateway/main.ts', 'serve', '--port', '0'],
    {
      ...Object.fromEntries(
        ['VIDEOS', 'AGENTS', 'MESSAGES', 'METRICS'].map((name) => [`TESSERA_${name}_URL`, url]),
      ),
      TESSERA_JWT_SECRET: secret,
      TESSERA_UPSTREAM_TIMEOUT_MS: String(timeoutMs),
      TESSERA_LOG_LEVEL: 'error',
      // The capacity is found by sending more, so nothing may be refused.
      TESSERA_MAX_WAIT_MS: '0',
      // With an arena for each thread, memory that one thread frees is not available to the others for a long time.
      MALLOC_ARENA_MAX: '2',
    },
    /graph +(http\S+)/,
  )
  const { inspector } = gateway
  if (inspector === undefined) throw new Error('the gateway said nothing of its inspector')
  const token = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('soak')
    .setExpirationTime('7d')
    .sign(new TextEncoder().encode(secret))
  const pool = new Pool(new URL(gateway.found).origin, { connections: mostAtOnce })
  const control = new Pool(url, { connections: 2 })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const writes = createWriteRecord()
  const expected = new Map<Asked, unknown>()
  let serial = 0

  async function send(asked: Asked): Promise<Answer> {
    const { body } = await pool.request({
      method: 'POST',
      path: '/graphql',
      headers,
      body: JSON.stringify(asked),
    })
    return (await body.json()) as Answer
  }

  function note(counts: Counts, answer: Answer, complaint: string | undefined, began: number): void {
    counts.answers += 1
    if (complaint !== undefined) counts.wrong.push(complaint)
    else if (answer.errors === undefined) {
      counts.whole += 1
      if (counts.times.length < keptTimes) counts.times.push(performance.now() - began)
    } else counts.honest += 1
    for (const { extensions } of answer.errors ?? []) {
      const code = extensions?.code ?? 'none'
      counts.codes.set(code, (counts.codes.get(code) ?? 0) + 1)
    }
  }

  async function read(counts: Counts): Promise<void> {
    const chosen = random.draw(reads)
    const began = performance.now()
    const answer = await send(chosen)
    note(counts, answer, judge(expected.get(chosen), answer), began)
  }

  function endingOf({ alias }: WriteField, { data, errors = [] }: Answer): Ending {
    const value = (data as Record<string, unknown> | null | undefined)?.[alias]
    if (value !== null && value !== undefined) return 'acknowledged'
    const about = errors.filter(({ path }) => path?.[0] === alias)
    return about.length > 0 && about.every(({ extensions }) => extensions?.outcome === undefined)
      ? 'failed'
      : 'unknown'
  }

  async function write(counts: Counts): Promise<void> {
    serial += 1
    const fields = nextWrite(random, serial)
    const began = performance.now()
    // Without a response, the outcome is unknown.
    let answer: Answer = {}
    try {
      answer = await send(mutationOf(fields))
      note(counts, answer, judge(expectedOf(fields, answer), answer), began)
    } finally {
      for (const field of fields) {
        const { operation, alias, keyFrom } = field
        const value = (answer.data as Record<string, unknown> | null | undefined)?.[alias]
        const key = keyFrom === undefined ? field.key : keyFrom(value)
        writes.ended({ operation, key }, endingOf(field, answer))
      }
    }
  }

  const one = async (counts: Counts): Promise<void> => {
    try {
      await (random.next() < writeShare ? write(counts) : read(counts))
    } catch (error) {
      counts.answers += 1
      counts.wrong.push(`no answer: ${messageOf(error)}`)
    }
  }

  const collect = async (): Promise<void> => writes.recorded((await services.ask<Written>('written')).writes)
  const createCounts = (): Counts => ({
    answers: 0,
    whole: 0,
    honest: 0,
    codes: new Map(),
    wrong: [],
    times: [],
  })

  // Without faults: finds the right responses, and the capacity of the machine.
  for (const { item } of reads) {
    const { data, errors } = await send(item)
    if (errors !== undefined) throw new Error(`without faults: ${JSON.stringify(errors).slice(0, 600)}`)
    expected.set(item, data)
  }
  const faultless = createCounts()
  const calibrationMs = Math.min(8000, Math.max(4000, seconds * 100))
  let measured = { at: 0, answers: 0 }
  const until = performance.now() + calibrationMs
  const client = async (): Promise<void> => {
    while (performance.now() < until) {
      await one(faultless)
      // The first half is only a warm-up.
      if (measured.at === 0 && performance.now() > until - calibrationMs / 2) {
        measured = { at: performance.now(), answers: faultless.answers }
      }
    }
  }
  await Promise.all(Array.from({ length: calibrationClients }, client))
  const capacity = ((faultless.answers - measured.answers) / (performance.now() - measured.at)) * 1000
  await collect()
  if (faultless.wrong.length > 0 || faultless.honest > 0) {
    throw new Error(`without faults: ${faultless.wrong[0] ?? JSON.stringify([...faultless.codes])}`)
  }
  const reachableBefore = await reachableOf(inspector)
  const rate = capacity * load
  console.log(`capacity ${capacity.toFixed(0)} requests a second; now ${rate.toFixed(0)} for ${seconds} s`)

  // Now with faults.
  const counts = createCounts()
  const memory: Sample[] = []
  const started = performance.now()
  const warmUp = Math.min(120, seconds / 2)
  const sampler = setInterval(() => {
    memory.push({ seconds: (performance.now() - started) / 1000, mebibytes: residentOf([gateway.pid]) })
  }, 500)
  const collector = setInterval(() => void collecting(), 2000)
  let collected: Promise<void> = Promise.resolve()
  function collecting(): void {
    collected = collected.then(collect)
  }
  const faults = startFaults(control, createRandom(seed + 1), { everyMs: faultEveryMs, timeoutMs })
  const cpu = [gateway.pid, services.pid, process.pid].map((pid) => cpuOf([pid]))
  const running = new Set<Promise<void>>()
  let owed = 0
  let heldBack = 0
  for (let last = started; last - started < seconds * 1000; ) {
    await wait(5)
    const now = performance.now()
    owed += ((now - last) / 1000) * rate
    last = now
    for (; owed >= 1; owed -= 1) {
      if (running.size >= mostAtOnce) {
        heldBack += 1
        continue
      }
      const asked = one(counts).finally(() => running.delete(asked))
      running.add(asked)
    }
  }
  const lasted = (performance.now() - started) / 1000
  const shares = [gateway.pid, services.pid, process.pid].map(
    (pid, i) => `${((cpuOf([pid]) - (cpu[i] ?? 0)) / 1e4 / lasted).toFixed(0)} %`,
  )
  clearInterval(sampler)
  await faults.stop()
  await Promise.all(running)
  clearInterval(collector)
  await collected
  // Abandoned calls may still be at work there. Late ones were done before.
  await wait(timeoutMs)
  await collect()
  const balance = writes.close()
  const trend = trendOf(memory.filter((sample) => sample.seconds >= warmUp))
  const peak = peakOf([gateway.pid])
  const reachable = await reachableOf(inspector)
  await Promise.all([pool.destroy(), control.destroy()])
  await gateway.stop()
  await services.stop()

  const times = counts.times.sort((a, b) => a - b)
  const listed = (counts: ReadonlyMap<string, number>): string =>
    [...counts]
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')
  const verdicts: (readonly [boolean, string])[] = [
    [counts.wrong.length === 0 && counts.answers > 0, `${counts.wrong.length} wrong answers`],
    [balance.faults.length === 0, `${balance.faults.length} faults in the record of writes`],
    [counts.honest > 0 && balance.unknown > 0, 'faults were met'],
    [
      reachable - reachableBefore <= allowedReachableMiB,
      `what is reachable rose by ${(reachable - reachableBefore).toFixed(1)} MiB to ${reachable.toFixed(1)} MiB (allowed ${allowedReachableMiB})`,
    ],
  ]
  if (warmUp >= settlingSeconds) {
    verdicts.push([
      trend.growth <= allowedGrowthMiB,
      `resident memory rose by ${trend.growth.toFixed(1)} MiB after ${warmUp.toFixed(0)} s of warming up (allowed ${allowedGrowthMiB})`,
    ])
  }
  console.log(`
seed      ${seed}
load      ${rate.toFixed(0)} requests a second, ${(load * 100).toFixed(0)} % of ${capacity.toFixed(0)}, for ${lasted.toFixed(0)} s
processor gateway ${shares[0]} of a core, services ${shares[1]}, clients ${shares[2]}
answers   ${counts.answers}: ${counts.whole} whole, ${counts.honest} with honest errors, ${counts.wrong.length} wrong; ${heldBack} not asked because ${mostAtOnce} were under way
times     of whole answers: median ${at(times, 0.5).toFixed(1)} ms, p99 ${at(times, 0.99).toFixed(1)} ms
errors    ${listed(counts.codes)}
faults    ${listed(faults.faults)}
writes    ${balance.acknowledged} acknowledged, ${balance.failed} refused or failed, ${balance.unknown} declared unknown (${balance.unknownDone} of them done); ${balance.recorded} recorded by the services
memory    resident: mean ${trend.mean.toFixed(0)} MiB, peak ${peak.toFixed(0)} MiB, ${trend.slope.toFixed(2)} MiB a minute
`)
  for (const [holds, text] of verdicts) console.log(`${holds ? 'holds ' : 'FAILS '} ${text}`)
  for (const complaint of [...counts.wrong, ...balance.faults].slice(0, 20)) console.log(`  ${complaint}`)
  return verdicts.every(([holds]) => holds)
}

const { help, minutes, seed, load } = readArguments('soak', usage, readSoakOptions)
let good = false
endAllWithUs()
try {
  if (help) {
    console.log(usage)
    good = true
  } else {
    console.log(`seed ${seed}`)
    good = await soak(minutes * 60, seed, load)
  }
} finally {
  endAll()
}
process.exit(good ? 0 : 1)
