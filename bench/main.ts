/**
 * `npm run bench`: every candidate and every operation, in turns and rounds, each compared with the ceiling beside
 * it. Responses are compared with the ceiling's before the clock starts, and on a sample while it runs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { measureAccess } from './access.ts'
import { readArguments } from './arguments.ts'
import { type CandidateName, candidateNames, createStarter } from './candidates.ts'
import { measureDistance } from './distance.ts'
import { measureEndurance } from './endurance.ts'
import { measureEngine } from './engine.ts'
import { measureFast, pieceNames } from './fast.ts'
import { compareFederated, federatedNames } from './federated/index.ts'
import { measureLive } from './live/measure.ts'
import { machine } from './machine.ts'
import { operationNamed, operations } from './operations.ts'
import { readOptions, usage } from './options.ts'
import { measureOverload } from './overload/overload.ts'
import { printOverload } from './overload/report.ts'
import { endAll, endAllWithUs, peakOf, residentOf, startWorker } from './processes.ts'
import { measureReloads } from './reload.ts'
import { printTables } from './report.ts'
import { createStages, startCandidates } from './stages.ts'
import type { UpstreamCounts } from './upstream.ts'
import { measureWorkers } from './workers.ts'

const options = readArguments('bench', usage, readOptions)

async function measure(): Promise<void> {
  const { rounds, seconds, operations: chosen } = options
  const upstream = startWorker('./upstream.ts')
  const { url } = await upstream.hear<{ url: string }>()
  const clients = startWorker('./load.ts')

  const participants = await startCandidates(createStarter(url), options.candidates)
  const idle = new Map(participants.shown.map((one) => [one, residentOf(one.pids)]))
  const stages = createStages({
    participants,
    operations: chosen,
    clients,
    counts: () => upstream.ask<UpstreamCounts>('count'),
  })
  await stages.compare()
  // V8 keeps optimizing a gateway's code until about 15,000 requests were answered, and a handler's for a shorter
  // time.
  await stages.warmUp(3, 3, 5000)
  await stages.measureCosts()
  for (let round = 0; round < rounds; round++) {
    await stages.round(round, seconds)
    console.log(`round ${round + 1} of ${rounds}`)
  }

  const text = printTables({
    results: stages.results(),
    spreads: stages.spreads(),
    operations: chosen,
    processes: participants.shown.map((candidate) => ({
      name: candidate.name,
      count: candidate.pids.length,
      startMs: candidate.startMs,
      idle: idle.get(candidate) ?? Number.NaN,
      resident: residentOf(candidate.pids),
      peak: peakOf(candidate.pids),
    })),
    absent: participants.absent,
    machine: machine(),
    versions: versions(),
    how: `${rounds} rounds of ${seconds} s, in which each candidate and a ceiling of its own take turns; medians of the rounds, and of their ratios, which are to the mean of all ceilings`,
  })
  console.log(text)
  keep(text, options.candidates.length === candidateNames.length && chosen.length === operations.length)
}

/** The default candidates under overload; one operation, whose work is the gateway's own. */
const overloaded: readonly CandidateName[] = ['tessera', 'apollo-gateway', 'hive-gateway', 'mercurius']

async function overload(): Promise<void> {
  const { seconds, connections, candidates } = options
  const [operation] =
    options.operations.length === operations.length ? [operationNamed('Q2')] : options.operations
  if (operation === undefined) throw new Error('name one operation')
  const upstream = startWorker('./upstream.ts')
  const sandbox = await upstream.hear<{ url: string }>()
  const services = startWorker('./services.ts')
  const { url } = await services.ask<{ url: string }>({ upstream: sandbox.url })
  const all = candidates.length === candidateNames.length
  const found = await measureOverload({
    starter: createStarter(url, {}),
    names: all ? overloaded : candidates,
    operation,
    seconds,
    connections,
    servicePids: [services.pid, upstream.pid],
  })
  const text = printOverload({ found, what: operation.what, machine: machine(), seconds, connections })
  console.log(text)
  if (options.out !== '') writeFileSync(options.out, text)
  else if (all) writeFileSync(new URL('OVERLOAD.md', import.meta.url), text)
}

function keep(text: string, whole: boolean): void {
  const file = options.out !== '' ? options.out : whole ? new URL('RESULTS.md', import.meta.url) : undefined
  if (file !== undefined) writeFileSync(file, text)
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
  // Loaded only here, because nothing else needs Apollo's planner.
  else if (options.incremental) await (await import('./incremental.ts')).measureIncremental()
  else if (options.live) {
    const { connections: subscribers, rounds: changes } = options
    const text = await measureLive({ subscribers, changes, machine: machine() })
    console.log(text)
    if (options.out !== '') writeFileSync(options.out, text)
    else if (subscribers >= 10_000) writeFileSync(new URL('LIVE.md', import.meta.url), text)
  } else if (options.planning) process.exitCode = await (await import('./planning.ts')).measurePlanning()
  else if (options.reload) process.exitCode = await measureReloads(options)
  else if (options.engine) {
    const text = await measureEngine(machine())
    console.log(text)
    writeFileSync(options.out === '' ? new URL('ENGINE.md', import.meta.url) : options.out, text)
  } else if (options.fast) {
    const text = await measureFast({ ...options, names: options.pieces, machine: machine() })
    console.log(text)
    if (options.out !== '') writeFileSync(options.out, text)
    else if (options.pieces.length === pieceNames.length)
      writeFileSync(new URL('FAST.md', import.meta.url), text)
  } else if (options.agent) {
    const { text, holds } = await (await import('./agent/index.ts')).measureAgent(machine())
    console.log(text)
    writeFileSync(options.out !== '' ? options.out : new URL('AGENT.md', import.meta.url), text)
    process.exitCode = holds ? 0 : 1
  } else if (options.access) {
    const text = await measureAccess({ ...options, machine: machine() })
    console.log(text)
    writeFileSync(options.out !== '' ? options.out : new URL('ACCESS.md', import.meta.url), text)
  } else if (options.distance) {
    const text = await measureDistance({ ...options, machine: machine() })
    console.log(text)
    writeFileSync(options.out !== '' ? options.out : new URL('DISTANCE.md', import.meta.url), text)
  } else if (options.overload) await overload()
  else if (options.workers) {
    const all = options.operations.length === operations.length
    const chosen = all ? ['Q1', 'Q2'].map((name) => operationNamed(name)) : options.operations
    const text = await measureWorkers({ ...options, operations: chosen, machine: machine() })
    console.log(text)
    if (options.out !== '') writeFileSync(options.out, text)
    else if (all) writeFileSync(new URL('WORKERS.md', import.meta.url), text)
  } else if (options.federated) {
    const text = await compareFederated({ ...options, candidates: options.gateways, machine: machine() })
    console.log(text)
    if (options.out !== '') writeFileSync(options.out, text)
    else if (options.gateways.length === federatedNames.length)
      writeFileSync(new URL('FEDERATED.md', import.meta.url), text)
  } else if (options.endurance) {
    const text = await measureEndurance({
      distinct: options.distinct,
      requests: options.requests,
      machine: machine(),
    })
    console.log(text)
    if (options.out !== '') writeFileSync(options.out, text)
    else writeFileSync(new URL('ENDURANCE.md', import.meta.url), text)
  } else await measure()
} finally {
  endAll()
}
process.exit()
