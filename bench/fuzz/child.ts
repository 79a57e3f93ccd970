/**
 * The process that runs one target, so that nothing that an input does to it ends the search. `supervise.ts` starts it,
 * and learns from a file which input it is reading.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Message, openLastInput, type Work } from './child-messages.ts'
import { startCoverage } from './coverage.ts'
import { explore } from './explore.ts'
import { faultOf } from './judge.ts'
import type { Target } from './target.ts'

/** More growth than this since the first tenth of the time is a leak. The corpus is far smaller. */
const mostGrowthBytes = 32 * 1024 * 1024

const send = (message: Message): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(message, () => resolve())
  })

/** Memory after a full collection, including buffers. */
async function heldBytes(): Promise<number> {
  // The memory of buffers is returned a little later.
  for (let times = 0; times < 2; times += 1) {
    await sleep(50)
    globalThis.gc?.()
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

async function work(asked: Work): Promise<void> {
  const last = openLastInput(asked.file)
  let lastInput = Buffer.alloc(0)
  /** An error or a rejection that nothing handles. */
  process.on('uncaughtException', (error) => {
    void send({ found: { ...faultOf(error), input: lastInput } }).then(() => process.exit(1))
  })
  const coverage = startCoverage(asked.covers)
  const { targets } = (await import(asked.module)) as { targets: readonly Target[] }
  const target = targets.find(({ name }) => name === asked.name)
  if (target === undefined) throw new Error(`${asked.module} has no target ${asked.name}`)
  const began = performance.now()
  let settled: number | undefined
  const { executions, corpus } = await explore({
    target,
    seed: asked.seed,
    coverage,
    async goesOn(so) {
      const part = Math.max((performance.now() - began) / asked.milliseconds, so / asked.mostExecutions)
      if (part > 0.1) settled ??= await heldBytes()
      return part < 1
    },
    begin(input) {
      lastInput = input
      last.write(input)
    },
    found: (found) => void send({ found }),
  })
  const growth = (await heldBytes()) - (settled ?? Number.POSITIVE_INFINITY)
  if (growth > mostGrowthBytes) {
    const details = `${Math.round(growth / 2 ** 20)} MiB more are held`
    await send({ found: { signature: 'growth', details, input: lastInput } })
  }
  await send({ done: { executions, corpus: corpus.length, functions: coverage.functions } })
  await target.close?.()
  coverage.close()
  last.close()
  // Anything else that the target has started would keep the process alive.
  process.exit(0)
}

process.once('message', (asked) => void work(asked as Work))
