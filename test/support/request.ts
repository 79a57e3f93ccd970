/** A request for tests that drive a subgraph or the upstream client without a gateway around it. */
import type { CallRecord, SubgraphRequest } from '../../shared/request.ts'

export interface TestRequest extends SubgraphRequest {
  readonly calls: CallRecord[]
  cancel(): void
}

export function testRequest(
  headers: Readonly<Record<string, string>> = {},
  options: { timeoutMs?: number; id?: string } = {},
): TestRequest {
  const listeners = new Set<() => void>()
  const calls: CallRecord[] = []
  let cancelled = false
  return {
    id: options.id ?? 'test',
    deadline: performance.now() + (options.timeoutMs ?? 30_000),
    header: (name) => (Object.hasOwn(headers, name) ? headers[name] : undefined),
    get cancelled() {
      return cancelled
    },
    onCancel(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    meter: { call: (record) => calls.push(record) },
    calls,
    cancel() {
      if (cancelled) return
      cancelled = true
      for (const listener of listeners) listener()
      listeners.clear()
    },
  }
}
