/** The request of a poll: it belongs to no operation, and shows the credential of one of the subscribers. */
import type { CallRecord, SubgraphRequest } from '../../../contract/request.ts'

/** How long a poll may take, retries included; calls have deadlines of their own within it. */
const pollMs = 60_000

export interface PollRequest extends SubgraphRequest {
  cancel(): void
}

export function pollRequest(topic: string, caller: SubgraphRequest): PollRequest {
  const listeners = new Set<() => void>()
  const request = {
    id: `live ${topic}`,
    deadline: performance.now() + pollMs,
    header: (name: string) => caller.header(name),
    identity: caller.identity,
    meter: { call: (_: CallRecord) => {} },
    background: true as const,
    cancelled: false,
    onCancel(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    cancel() {
      if (request.cancelled) return
      request.cancelled = true
      for (const listener of [...listeners]) listener()
      listeners.clear()
    },
  }
  return request
}
