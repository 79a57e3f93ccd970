/**
 * The search: it repeatedly changes inputs that reached something new. Reading the coverage takes milliseconds, so
 * inputs run in batches. If a batch reached something new, halving it finds the input.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Coverage } from './coverage.ts'
import { type Fault, judge } from './judge.ts'
import { type Material, mutated } from './mutate.ts'
import { createRandom } from './random.ts'
import { shrunk } from './shrink.ts'
import { literalsOf } from './source-literals.ts'
import type { Target } from './target.ts'

export interface Found extends Fault {
  readonly input: Buffer
}

export interface Exploration {
  readonly target: Target
  readonly seed: number
  /** Without it only the seeds are changed. */
  readonly coverage?: Coverage | undefined
  /** Called before each batch. */
  goesOn(executions: number): boolean | Promise<boolean>
  /** Called before each execution, so that an input that never returns is known. */
  begin?(input: Buffer): void
  found(fault: Found): void
}

export interface Explored {
  readonly executions: number
  /** The inputs that reached something new, including the seeds. */
  readonly corpus: readonly Buffer[]
}

const usualLongest = 4096
/** A batch grows as long as nothing is new, so that reading the coverage takes little of the time. */
const leastBatch = 32
const mostBatch = 1024
/** Each fault is shrunk, so a target that always fails would take all the time. */
const mostFaults = 20

export async function explore(exploration: Exploration): Promise<Explored> {
  const { target, seed, coverage, goesOn, begin, found } = exploration
  const random = createRandom(seed)
  const corpus: Buffer[] = target.seeds.map((each) => Buffer.from(each as string))
  const words = [...literalsOf(target.covers), ...(target.words ?? [])].map((word) => Buffer.from(word))
  const material: Material = { random, words, others: corpus, longest: target.longest ?? usualLongest }
  const signatures = new Set<string>()
  let executions = 0

  async function execute(input: Buffer): Promise<Fault | undefined> {
    executions += 1
    begin?.(input)
    // The target gets a copy, because it may keep or change its input.
    return judge(target, Buffer.from(input))
  }

  async function report(fault: Fault, input: Buffer): Promise<void> {
    if (signatures.has(fault.signature) || signatures.size >= mostFaults) return
    signatures.add(fault.signature)
    const least = await shrunk(
      input,
      async (shorter) => (await execute(shorter))?.signature === fault.signature,
    )
    found({ ...((await execute(least)) ?? fault), input: least })
  }

  async function executeAll(inputs: readonly Buffer[]): Promise<void> {
    for (const input of inputs) {
      const fault = await execute(input)
      if (fault !== undefined) await report(fault, input)
    }
  }

  /** Adds the inputs that reach something new to the corpus. */
  async function keepNew(inputs: readonly Buffer[], from: Coverage): Promise<boolean> {
    await executeAll(inputs)
    const reached = from.take()
    if (!reached.isNew) return false
    const [first] = inputs
    if (first !== undefined && inputs.length === 1) corpus.push(first)
    else {
      const half = Math.ceil(inputs.length / 2)
      await keepNew(inputs.slice(0, half), from)
      await keepNew(inputs.slice(half), from)
    }
    // Coverage that only the whole batch reached would stay new for ever.
    reached.keep()
    return true
  }

  await executeAll(corpus)
  coverage?.take().keep()
  let size = leastBatch
  while (await goesOn(executions)) {
    // Work that targets have postponed, such as a write, runs between batches.
    await turn()
    const batch = Array.from({ length: size }, () => mutated(chosen(corpus, material), material))
    if (coverage === undefined) await executeAll(batch)
    else size = (await keepNew(batch, coverage)) ? leastBatch : Math.min(2 * size, mostBatch)
  }
  return { executions, corpus }
}

/** In half of the cases it chooses one of the newest inputs, because there may be more beyond them. */
function chosen(corpus: readonly Buffer[], { random }: Material): Buffer {
  if (corpus.length === 0) return Buffer.alloc(0)
  const newest = Math.max(1, Math.ceil(corpus.length / 8))
  return random.below(2) === 0
    ? random.one(corpus)
    : (corpus[corpus.length - 1 - random.below(newest)] as Buffer)
}
