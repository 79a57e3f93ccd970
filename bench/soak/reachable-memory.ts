/** The memory of a process after a collection, requested by the protocol of Node's inspector. */
import { once } from 'node:events'
import { type RawData, WebSocket } from 'ws'

const mebibyte = 1024 * 1024

interface Answer {
  readonly id?: number
  readonly result?: { readonly result?: { readonly value?: unknown } }
  readonly error?: { readonly message: string }
}

/**
 * Mebibytes of objects, array buffers and other memory that objects hold outside of the heap, in the process whose
 * inspector listens at `inspector`. The process stops while it collects.
 */
export async function reachableOf(inspector: string): Promise<number> {
  const socket = new WebSocket(inspector)
  const deadline = { signal: AbortSignal.timeout(30_000) }
  let id = 0
  async function ask(method: string, params = {}): Promise<unknown> {
    id += 1
    socket.send(JSON.stringify({ id, method, params }))
    for (;;) {
      const [data] = (await once(socket, 'message', deadline)) as [RawData]
      const answer = JSON.parse(String(data)) as Answer
      if (answer.id !== id) continue
      if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`)
      return answer.result?.result?.value
    }
  }
  try {
    await once(socket, 'open', deadline)
    await ask('HeapProfiler.collectGarbage')
    const held = await ask('Runtime.evaluate', {
      expression: '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())',
      returnByValue: true,
    })
    if (typeof held !== 'number') throw new Error('the process did not say what it holds')
    return held / mebibyte
  } finally {
    socket.close()
  }
}
