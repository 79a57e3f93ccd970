/** Checks the collector of traces: whether it accepts an empty export. */
import { reasonOf } from '../../../shared/http/failure-reason.ts'
import { type Finding, look, placeOf, post } from './finding.ts'

export function checkTraces(
  url: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<Finding> {
  return look(
    { subject: 'traces', place: placeOf(url), tried: 'delivered no spans' },
    async () => {
      const { status } = await post(url, '{"resourceSpans":[]}', headers, timeoutMs)
      if (status >= 200 && status < 300) return {}
      if (status === 401 || status === 403)
        return { said: `it answers ${status}`, cure: 'correct OTEL_EXPORTER_OTLP_HEADERS' }
      return {
        said: `it answers ${status}`,
        cure: 'correct the path of TESSERA_TRACES_URL: it ends in /v1/traces, and the collector must accept JSON there',
      }
    },
    (error) => ({
      said: reasonOf(error),
      cure: 'make sure that the collector runs and accepts OTLP over HTTP, usually on port 4318 (TESSERA_TRACES_URL or OTEL_EXPORTER_OTLP_ENDPOINT)',
    }),
  )
}
