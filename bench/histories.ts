/**
 * `npm run histories`: clients against three gateways, a Redis with a replica and the sandbox, with faults on every
 * connection, one history after the other. Each is compared with what the gateway promises. The exit code says
 * whether every history was possible. docs/architecture.md says what is checked.
 */
import { writeFileSync } from 'node:fs'
import { readArguments } from './arguments.ts'
import { check } from './histories/check/index.ts'
import { type FaultName, faultKinds } from './histories/nemesis.ts'
import { type HistoriesOptions, readHistoriesOptions, usage } from './histories/options.ts'
import { prove } from './histories/prove.ts'
import { runHistory } from './histories/run.ts'
import { boundOf, createSummary } from './histories/summary.ts'
import { machine } from './machine.ts'

const options = readArguments('histories', usage, readHistoriesOptions)

/** An interrupted run leaves nothing behind. */
const broken = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => broken.abort())

const gateways = 3
const allKinds = Object.keys(faultKinds) as FaultName[]

/** The kinds depend on the seed, so that it alone reproduces a history. */
function kindsOf({ kinds, alone }: HistoriesOptions, drawn: number): readonly FaultName[] {
  const some = kinds ?? allKinds
  const one = (number: number): readonly FaultName[] => some.slice(number % some.length).slice(0, 1)
  if (alone) return one(drawn)
  return kinds !== undefined || drawn % 2 === 0 ? some : one(Math.floor(drawn / 2))
}

async function histories(asked: HistoriesOptions): Promise<boolean> {
  const { minutes, seconds, seed, out, report } = asked
  const summary = createSummary()
  const until = performance.now() + minutes * 60_000
  for (let number = 0; performance.now() < until; number += 1) {
    broken.signal.throwIfAborted()
    const drawn = seed + number
    const own = kindsOf(asked, drawn)
    const history = await runHistory({ seed: drawn, seconds, gateways, signal: broken.signal, kinds: own })
    const bound = boundOf(history.limit, gateways)
    const verdict = check(history, bound)
    summary.add(history, verdict, bound)
    const { violations } = verdict
    console.log(
      `seed ${drawn}${own.length === 1 ? ` --faults ${own[0]}` : ''}: ${history.attempts.length} operations, ${history.faults.length} faults, ${violations.length} violations`,
    )
    for (const violation of violations.slice(0, 20)) console.log(`  ${violation}`)
    if (out !== undefined && violations.length > 0) {
      const text = JSON.stringify({ seed: drawn, ...history, books: [...history.books], violations }, null, 1)
      writeFileSync(`${out}.${drawn}.json`, text)
    }
    if (report !== undefined) writeFileSync(report, reportOf(summary.print(), seed, seconds))
  }
  console.log(`\n${summary.print()}`)
  return summary.violations === 0
}

const reportOf = (tables: string, seed: number, seconds: number): string =>
  `# Results of the histories\n\n${new Date().toISOString().slice(0, 10)}. ${machine()}. \`npm run histories\`, from seed ${seed}: ${gateways} gateways, a Redis with a replica and the services, ${seconds} s a history.\n\n${tables}\n`

async function proof({ seed }: HistoriesOptions): Promise<boolean> {
  const { isProven, text } = await prove({ seed, seconds: 10, signal: broken.signal })
  console.log(text)
  return isProven
}

async function exitCode(): Promise<number> {
  if (options.help) {
    console.log(usage)
    return 0
  }
  try {
    return (await (options.prove ? proof : histories)(options)) ? 0 : 1
  } catch (error) {
    if (!broken.signal.aborted) throw error
    console.error('histories: interrupted; the history that was running is not judged')
    return 130
  }
}

process.exit(await exitCode())
