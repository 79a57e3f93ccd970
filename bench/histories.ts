/**
 * `npm run histories`: clients against three gateways, a Redis with a replica and the sandbox, with faults on every way
 * between them, one history after the other; each is held against what the gateway promises. The exit code says whether
 * every history was possible. docs/architecture.md says what is checked.
 */
import { writeFileSync } from 'node:fs'
import { readArguments } from './arguments.ts'
import { check } from './histories/check/index.ts'
import { readHistoriesOptions, usage } from './histories/options.ts'
import { runHistory } from './histories/run.ts'
import { boundOf, createSummary } from './histories/summary.ts'

const { help, minutes, seconds, seed, kinds, out } = readArguments('histories', usage, readHistoriesOptions)

/** A run that is broken off leaves nothing behind. */
const broken = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => broken.abort())

async function histories(): Promise<boolean> {
  const summary = createSummary()
  const until = performance.now() + minutes * 60_000
  for (let number = seed; performance.now() < until; number += 1) {
    const gateways = 3
    const history = await runHistory({
      ...{ seed: number, seconds, gateways, signal: broken.signal },
      ...(kinds && { kinds }),
    })
    const verdict = check(history, boundOf(history.limit, gateways))
    summary.add(history, verdict)
    const { violations } = verdict
    console.log(
      `seed ${number}: ${history.attempts.length} operations, ${history.faults.length} faults, ${violations.length} violations`,
    )
    for (const violation of violations.slice(0, 20)) console.log(`  ${violation}`)
    if (out !== undefined && violations.length > 0) {
      const text = JSON.stringify(
        { seed: number, ...history, books: [...history.books], violations },
        null,
        1,
      )
      writeFileSync(`${out}.${number}.json`, text)
    }
  }
  console.log(summary.print())
  return summary.violations === 0
}

if (help) console.log(usage)
process.exit(help || (await histories()) ? 0 : 1)
