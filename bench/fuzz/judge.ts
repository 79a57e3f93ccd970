/** Runs a target on one input, and says whether what came of it is a fault. */
import { Broken, type Target } from './target.ts'
import { root } from './words.ts'

export interface Fault {
  /** The same for faults of one cause, as far as that can be seen: kind, error, and where in the source. */
  readonly signature: string
  readonly details: string
}

/** No input takes this long to be read: in milliseconds of CPU time, of the shortest of several runs. */
const slowMs = 500
const runsOfSlow = 3

/** Where in the repository an error was thrown, without the lines, which move. */
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
  // Numbers and quoted parts are those of the input.
  const message =
    error instanceof Broken ? error.rule : error.message.replace(/"[^"]*"|'[^']*'|\d+/g, '…').slice(0, 80)
  return {
    signature: `${error.name} at ${placeOf(error)}: ${message}`,
    details: (error.stack ?? error.message).slice(0, 2000),
  }
}

/** What it fails with; undefined if it reads the input, or refuses it as it should. */
async function run(target: Target, input: Buffer): Promise<Fault | undefined> {
  try {
    const result = target.run(input)
    if (result instanceof Promise) await result
    return undefined
  } catch (error) {
    return (target.allows?.(error) ?? false) ? undefined : faultOf(error)
  }
}

/** Undefined if the input was read, or refused as it should be. */
export async function judge(target: Target, input: Buffer): Promise<Fault | undefined> {
  const began = performance.now()
  const fault = await run(target, input)
  if (fault !== undefined || performance.now() - began < slowMs) return fault
  // Other processes may have had the processor meanwhile: what counts is the time that this one takes of it.
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
