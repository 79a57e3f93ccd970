/**
 * `npm run fuzz`: gives changed inputs to every function that reads untrusted data, guided by the coverage of its
 * source. The exit code says whether each input was read or properly refused. docs/architecture.md defines a fault.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArguments } from './arguments.ts'
import type { Found } from './fuzz/explore.ts'
import { judge } from './fuzz/judge.ts'
import { type FuzzCommand, readFuzzOptions, usage } from './fuzz/options.ts'
import { summaryOf } from './fuzz/summary.ts'
import { type FuzzResult, fuzz } from './fuzz/supervise.ts'
import type { Target } from './fuzz/target.ts'
import { targets } from './fuzz/targets/index.ts'
import { machine } from './machine.ts'

const names = targets.map(({ name }) => name)
const options = readArguments('fuzz', usage, (args) => readFuzzOptions(args, names))
const chosen = targets.filter(({ name }) => options.only?.includes(name) ?? true)

/** If the run is interrupted, it leaves no thread behind and prints its results so far. */
const broken = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => broken.abort())

function write(folder: string, target: Target, { signature, details, input }: Found, number: number): void {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${target.name}.${number}`)
  writeFileSync(file, input)
  writeFileSync(`${file}.txt`, `${signature}\n\n${details}\n`)
  console.log(`  ${signature}\n    ${JSON.stringify(input.toString('latin1').slice(0, 200))}\n    ${file}`)
}

async function run({ seconds, seed, together, out, report }: FuzzCommand): Promise<boolean> {
  console.log(`seed ${seed}, ${chosen.length} targets`)
  const results = new Map<string, FuzzResult>()
  const waiting = [...chosen]
  async function next(): Promise<void> {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
      if (broken.signal.aborted) return
      const result = await fuzz(target, { seed, milliseconds: seconds * 1000, signal: broken.signal })
      results.set(target.name, result)
      console.log(`${target.name}: ${result.executions} executions, ${result.found.length} faults`)
      for (const [number, found] of result.found.entries()) write(out, target, found, number + 1)
      const head = `${new Date().toISOString().slice(0, 10)}. ${machine()}. \`npm run fuzz\`, seed ${seed}, ${seconds} s a target.`
      if (report !== undefined) writeFileSync(report, `${head}\n\n${summaryOf(results)}\n`)
    }
  }
  await Promise.all(Array.from({ length: together }, next))
  console.log(`\n${summaryOf(results)}`)
  return [...results.values()].every(({ found }) => found.length === 0)
}

/** Runs an input that was saved before. */
async function again(target: Target, file: string): Promise<boolean> {
  const fault = await judge(target, readFileSync(file))
  console.log(
    fault === undefined ? 'read, or refused as it should be' : `${fault.signature}\n${fault.details}`,
  )
  return fault === undefined
}

async function obey(asked: FuzzCommand): Promise<boolean> {
  const [first] = chosen
  if (asked.help) console.log(usage)
  else if (asked.list) for (const { name, covers } of chosen) console.log(`${name}: ${covers.join(', ')}`)
  else if (asked.input !== undefined && first !== undefined) return again(first, asked.input)
  else return run(asked)
  return true
}

process.exit((await obey(options)) ? 0 : 1)
