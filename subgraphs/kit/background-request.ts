/** A request that belongs to no operation, such as a poll for subscriptions. It carries the headers of a caller. */
import { cancelledBy } from '../../shared/http/cancellation.ts'
import type { SubgraphRequest } from '../../shared/request.ts'

export interface BackgroundRequest extends SubgraphRequest {
  cancel(): void
}

/** `milliseconds`: how long it may take, retries included; calls have deadlines of their own within it. */
export function backgroundRequest(
  id: string,
  caller: SubgraphRequest,
  milliseconds: number,
): BackgroundRequest {
  const controller = new AbortController()
  const { onCancel } = cancelledBy(controller.signal)
  return {
    id,
    deadline: performance.now() + milliseconds,
    header: (name) => caller.header(name),
    identity: caller.identity,
    meter: { call: () => {} },
    background: true,
    get cancelled() {
      return controller.signal.aborted
    },
    onCancel,
    cancel: () => controller.abort(),
  }
}
