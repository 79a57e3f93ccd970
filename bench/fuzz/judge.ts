/** Runs a target on one input, and says whether what came of it is a fault. */
import { Broken, type Target } from './target.ts'
import { root } from './words.ts'

export interface Fault {
  /** The same for faults of one cause, as far as that can be seen: kind, error, and where in the source. */
  readonly signature: string
  readonly details: string
}

/** No input takes this long to be read: in milliseconds, of the shortest of several runs. */
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

interface Run {
  readonly fault: Fault | undefined
  readonly milliseconds: number
}

async function run(target: Target, input: Buffer): Promise<Run> {
  const began = performance.now()
  let fault: Fault | undefined
  try {
    const result = target.run(input)
    if (result instanceof Promise) await result
  } catch (error) {
    if (!(target.allows?.(error) ?? false)) fault = faultOf(error)
  }
  return { fault, milliseconds: performance.now() - began }
}

/** Undefined where the input was read, or refused as it should be. */
export async function judge(target: Target, input: Buffer): Promise<Fault | undefined> {
  const first = await run(target, input)
  if (first.fault !== undefined || first.milliseconds < slowMs) return first.fault
  // Something else may have had the processor meanwhile.
  let least = first.milliseconds
  for (let again = 1; again < runsOfSlow && least >= slowMs; again += 1)
    least = Math.min(least, (await run(target, input)).milliseconds)
  if (least < slowMs) return undefined
  return { signature: 'slow', details: `${Math.round(least)} ms for ${input.length} bytes` }
}
