/**
 * `npm run bench`: every candidate and every operation, in turn and in rounds, each against the ceiling beside it.
 * Answers are held against the ceiling's before the clock starts and on a sample while it runs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { readArguments } from './arguments.ts'
import { candidateNames, createCast } from './candidates.ts'
import { createContest, gather } from './contest.ts'
import { measureEndurance } from './endurance.ts'
import { compareFederated, federatedNames } from './federated/index.ts'
import { operations } from './operations.ts'
import { readOptions, usage } from './options.ts'
import { endAll, endAllWithUs, peakOf, residentOf, startWorker } from './processes.ts'
import { printTables } from './report.ts'
import type { UpstreamCounts } from './upstream.ts'

const options = readArguments('bench', usage, readOptions)

async function compete(): Promise<void> {
  const { rounds, seconds, operations: races } = options
  const upstream = startWorker('./upstream.ts')
  const { url } = await upstream.hear<{ url: string }>()
  const clients = startWorker('./load.ts')

  const party = await gather(createCast(url), options.candidates)
  const idle = new Map(party.shown.map((one) => [one, residentOf(one.pids)]))
  const contest = createContest({
    party,
    races,
    clients,
    counts: () => upstream.ask<UpstreamCounts>('count'),
  })
  await contest.compare()
  await contest.warmUp(3, 1.2)
  await contest.measureCosts()
  for (let round = 0; round < rounds; round++) {
    await contest.round(round, seconds)
    console.log(`round ${round + 1} of ${rounds}`)
  }

  const text = printTables({
    standings: contest.standings(),
    operations: races,
    processes: party.shown.map((candidate) => ({
      name: candidate.name,
      count: candidate.pids.length,
      startMs: candidate.startMs,
      idle: idle.get(candidate) ?? Number.NaN,
      resident: residentOf(candidate.pids),
      peak: peakOf(candidate.pids),
    })),
    absent: party.absent,
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
  else if (options.federated) {
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
  } else await compete()
} finally {
  endAll()
}
process.exit()
