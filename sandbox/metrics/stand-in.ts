/** The routes of the metrics service and its optional basic authentication. */
import { timingSafeEqual } from 'node:crypto'
import type { Route, StandIn, StandInAnswer, StandInRequest } from '../stand-in.ts'
import { createMetricsApi, type MetricsAnswer, type MetricsApi } from './api.ts'
import type { Series } from './series.ts'

export interface MetricsStandInOptions {
  /** The server's clock, which is the default time of a query. */
  readonly now?: () => number
  /** Adds `bench_series` (one hundred series for benchmarks), and keeps the responses of range queries. */
  readonly synthetic?: boolean
  /** The user and password that every call must have. */
  readonly basic?: { readonly user: string; readonly password: string } | undefined
  /** The server's `-query.timeout`, which the parameter cannot exceed. */
  readonly maxTimeoutMs?: number | undefined
  /** Replaces the sample series. */
  readonly series?: readonly Series[] | undefined
}

export function createMetricsStandIn(options: MetricsStandInOptions = {}): StandIn {
  const { now = Date.now, synthetic = false, basic, maxTimeoutMs = 120_000, series } = options
  const started = now()
  let made: MetricsApi | undefined
  /** Made when it is first called. */
  const api = (): MetricsApi => {
    made ??= createMetricsApi({ now, started, synthetic, series, maxTimeoutMs })
    return made
  }

  const route = (
    method: 'GET' | 'POST',
    path: string,
    name: string,
    handle: (parameters: URLSearchParams) => MetricsAnswer,
  ): Route => ({
    ...{ method, path: `/api/v1/${path}`, operation: `metrics.${name}` },
    handler(request) {
      if (basic !== undefined && !isAllowed(request.headers.authorization, basic)) return unauthorized
      const { status, body } = handle(parametersOf(request))
      return { status, headers, body }
    },
  })
  const query = (parameters: URLSearchParams) => api().query(parameters)
  const queryRange = (parameters: URLSearchParams) => api().queryRange(parameters)
  return {
    service: 'metrics',
    routes: [
      route('GET', 'query', 'query', query),
      route('POST', 'query', 'query', query),
      route('GET', 'query_range', 'queryRange', queryRange),
      route('POST', 'query_range', 'queryRange', queryRange),
      route('GET', 'rules', 'rules', (filters) => api().rules(filters)),
      route('GET', 'alerts', 'alerts', () => api().alerts()),
      route('GET', 'status/buildinfo', 'buildInfo', () => api().buildInfo()),
    ],
    change: (change) => api().change(change),
  }
}

const headers = { 'content-type': 'application/json', vary: 'Accept-Encoding, Origin' }
const unauthorized: StandInAnswer = {
  status: 401,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'www-authenticate': 'Basic' },
  body: 'Unauthorized\n',
}

/** The parameters of a form in the body come before those of the URL. Any other body is ignored. */
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
