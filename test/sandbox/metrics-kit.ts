/** Asks the metrics stand-in over HTTP. */
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/index.ts'

export const noon = Date.UTC(2026, 5, 1, 12)

export interface Envelope {
  status: string
  data?: Record<string, unknown> & { resultType?: string; result?: unknown }
  errorType?: string
  error?: string
  warnings?: string[]
  infos?: string[]
}

export interface MetricsSandbox extends AsyncDisposable {
  readonly sandbox: Sandbox
  ask(path: string, parameters?: Record<string, string>): Promise<{ status: number; body: Envelope }>
}

/** At a fixed moment, unless the options say otherwise. */
export async function startMetrics(options: SandboxOptions = {}): Promise<MetricsSandbox> {
  const sandbox = await startSandbox({ now: () => noon, ...options })
  return {
    sandbox,
    async ask(path, parameters = {}) {
      const response = await fetch(`${sandbox.url}/api/v1/${path}?${new URLSearchParams(parameters)}`)
      return { status: response.status, body: (await response.json()) as Envelope }
    },
    [Symbol.asyncDispose]: () => sandbox.close(),
  }
}
