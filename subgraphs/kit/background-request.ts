/** A request that belongs to no operation, such as a poll for subscriptions. It carries the headers of a caller. */
import type { CallRecord, SubgraphRequest } from '../../shared/request.ts'

export interface BackgroundRequest extends SubgraphRequest {
  cancel(): void
}

/** `milliseconds`: how long it may take, retries included; calls have deadlines of their own within it. */
export function backgroundRequest(
  id: string,
  caller: SubgraphRequest,
  milliseconds: number,
): BackgroundRequest {
  const listeners = new Set<() => void>()
  const request = {
    id,
    deadline: performance.now() + milliseconds,
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
