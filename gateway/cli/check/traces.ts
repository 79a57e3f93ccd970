/** Checks the collector of traces: whether it accepts an empty export. */
import { reasonOf } from '../../../shared/http/call-reason.ts'
import { type Finding, placeOf, post, timed } from './finding.ts'

export async function checkTraces(
  url: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<Finding> {
  const [outcome, milliseconds] = await timed(async (): Promise<Pick<Finding, 'said' | 'cure'>> => {
    let status: number
    try {
      ;({ status } = await post(url, '{"resourceSpans":[]}', headers, timeoutMs))
    } catch (error) {
      return {
        said: reasonOf(error),
        cure: 'make sure that the collector runs and accepts OTLP over HTTP, usually on port 4318 (TESSERA_TRACES_URL or OTEL_EXPORTER_OTLP_ENDPOINT)',
      }
    }
    if (status >= 200 && status < 300) return {}
    if (status === 401 || status === 403)
      return { said: `it answers ${status}`, cure: 'correct OTEL_EXPORTER_OTLP_HEADERS' }
    return {
      said: `it answers ${status}`,
      cure: 'correct the path of TESSERA_TRACES_URL: it ends in /v1/traces, and the collector must accept JSON there',
    }
  })
  return { subject: 'traces', place: placeOf(url), milliseconds, tried: 'delivered no spans', ...outcome }
}
