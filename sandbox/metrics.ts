/**
 * The stand-in of the metrics service: five endpoints over sample series that it really evaluates, rules and alerts
 * included. What it cannot evaluate it refuses in the service's words; it never invents a number.
 */
import { timingSafeEqual } from 'node:crypto'
import { createMetricsApi, type MetricsAnswer } from './metrics/api.ts'
import type { Series } from './metrics/series.ts'
import type { Route, StandIn, StandInAnswer, StandInRequest } from './stand-in.ts'

export { sandboxBuildInfo } from './metrics/api.ts'
export { sampleRuleFiles } from './metrics/rules.ts'
export { downTarget, scrapeInterval } from './metrics/sample-series.ts'

export interface MetricsStandInOptions {
  /** The server's clock: what a query without a time asks about. */
  readonly now?: () => number
  /** Whether `bench_series` exists: one hundred series, whose range answers are remembered. */
  readonly synthetic?: boolean
  /** With these, every call without them is refused. */
  readonly basic?: { readonly user: string; readonly password: string } | undefined
  /** What the server's `-query.timeout` says; also the most that the parameter may ask for. */
  readonly maxTimeoutMs?: number | undefined
  /** Instead of the sample series. */
  readonly series?: readonly Series[] | undefined
}

/** Expressions with something particular about their answers, all over the sample series. */
export const sampleExpressions = {
  vector: 'up',
  scalar: '1 + 2',
  string: '"text"',
  matrix: 'up[1m]',
  empty: 'no_such_metric',
  specialFloats: 'special_value',
  nativeHistogram: 'rpc_latency_seconds',
  classicHistogram: 'http_request_duration_seconds_bucket{instance="api-1:8080"}',
  rate: 'sum by (job) (rate(http_requests_total[5m]))',
  /** Answers with a warning. */
  warned: 'quantile(2, up)',
  /** Answers with a remark among `infos`: the metric is not named like a counter. */
  remarked: 'rate(queue_length[5m])',
  /** Does not parse. */
  malformed: 'up{',
  /** Parses, and fails when it is evaluated. */
  ambiguous: 'up * on (job) group_left () {__name__=~"up|scrape_duration_seconds"}',
  /** Parses, and is more than this evaluator can do. */
  unsupported: 'max_over_time(up[1h:1m])',
  unusualLabels: 'text_labels',
} as const

export function createMetricsStandIn(options: MetricsStandInOptions = {}): StandIn {
  const { now = Date.now, synthetic = false, basic, maxTimeoutMs = 120_000, series } = options
  const start = () => createMetricsApi({ now, synthetic, series, maxTimeoutMs })
  let api = start()

  const guarded =
    (handle: (request: StandInRequest) => MetricsAnswer): Route['handler'] =>
    (request) => {
      if (basic !== undefined && !isAllowed(request.headers.authorization, basic)) return unauthorized
      const { status, body } = handle(request)
      return { status, headers, body }
    }
  const query = guarded((request) => api.query(parametersOf(request)))
  const queryRange = guarded((request) => api.queryRange(parametersOf(request)))
  return {
    service: 'metrics',
    routes: [
      { method: 'GET', path: '/api/v1/query', operation: 'metrics.query', handler: query },
      { method: 'POST', path: '/api/v1/query', operation: 'metrics.query', handler: query },
      { method: 'GET', path: '/api/v1/query_range', operation: 'metrics.queryRange', handler: queryRange },
      { method: 'POST', path: '/api/v1/query_range', operation: 'metrics.queryRange', handler: queryRange },
      {
        method: 'GET',
        path: '/api/v1/rules',
        operation: 'metrics.rules',
        handler: guarded(({ query: filters }) => api.rules(filters)),
      },
      {
        method: 'GET',
        path: '/api/v1/alerts',
        operation: 'metrics.alerts',
        handler: guarded(() => api.alerts()),
      },
      {
        method: 'GET',
        path: '/api/v1/status/buildinfo',
        operation: 'metrics.buildInfo',
        handler: guarded(() => api.buildInfo()),
      },
    ],
    reset() {
      api = start()
    },
  }
}

const headers = { 'content-type': 'application/json', vary: 'Accept-Encoding, Origin' }
const unauthorized: StandInAnswer = {
  status: 401,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'www-authenticate': 'Basic' },
  body: 'Unauthorized\n',
}

/** A form in the body and the URL's query are read together, the form first; any other body is not read. */
function parametersOf({ method, query, headers: sent, body }: StandInRequest): URLSearchParams {
  const isForm = /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(sent['content-type'] ?? '')
  return method === 'POST' && isForm ? new URLSearchParams([...new URLSearchParams(body), ...query]) : query
}

function isAllowed(
  header: string | undefined,
  { user, password }: { readonly user: string; readonly password: string },
): boolean {
  const shown = /^basic (.+)$/i.exec(header ?? '')?.[1]
  if (shown === undefined) return false
  const given = Buffer.from(shown, 'base64')
  const wanted = Buffer.from(`${user}:${password}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
