/** Runs a target on one input, and decides whether the outcome is a fault. */

import { root } from './source-literals.ts'
import { Broken, type Target } from './target.ts'

export interface Fault {
  /** Equal for faults of one cause, as far as kind, error and place in the source show that. */
  readonly signature: string
  readonly details: string
}

/** Reading an input takes less than this, in milliseconds of CPU time of the shortest of several runs. */
const slowMs = 500
const runsOfSlow = 3

/** The place in the repository where an error was thrown, without line numbers, which change. */
function placeOf(error: Error): string {
  const line = (error.stack ?? '')
    .split('\n')
    .slice(1)
    .map((each) => each.trim())
    .find((each) => each.includes(root) && !each.includes('node_modules') && !each.includes(`${root}bench/`))
  return (
    line
      ?.replace(root, '')
      .replace(/^at /, '')
      .replace(/file:\/\/|:\d+:\d+/g, '') ?? 'elsewhere'
  )
}

export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error))
    return { signature: `throws what is no error: ${typeof error}`, details: String(error) }
  // Numbers and quoted parts come from the input.
  const message =
    error instanceof Broken ? error.rule : error.message.replace(/"[^"]*"|'[^']*'|\d+/g, '…').slice(0, 80)
  return {
    signature: `${error.name} at ${placeOf(error)}: ${message}`,
    details: (error.stack ?? error.message).slice(0, 2000),
  }
}

/** The fault; undefined if the target reads the input or properly refuses it. */
async function run(target: Target, input: Buffer): Promise<Fault | undefined> {
  try {
    const result = target.run(input)
    if (result instanceof Promise) await result
    return undefined
  } catch (error) {
    return (target.allows?.(error) ?? false) ? undefined : faultOf(error)
  }
}

/** Undefined if the input was read or properly refused. */
export async function judge(target: Target, input: Buffer): Promise<Fault | undefined> {
  const began = performance.now()
  const fault = await run(target, input)
  if (fault !== undefined || performance.now() - began < slowMs) return fault
  // Other processes may have used the processor meanwhile, so the CPU time of this process counts.
  let least = Number.POSITIVE_INFINITY
  for (let again = 0; again < runsOfSlow && least >= slowMs; again += 1) {
    const before = process.cpuUsage()
    await run(target, Buffer.from(input))
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  if (least < slowMs) return undefined
  return { signature: 'slow', details: `${Math.round(least)} ms of CPU time for ${input.length} bytes` }
}
