/**
 * Traces of a request: its span, and below it those of planning, of each fetch and of each call to a service. Disabled
 * unless an address is configured: then nothing of this is loaded, and a caller's trace context is only passed on. No
 * span has a value of a variable, a header or a URL.
 */
import { type Transport, withFetches } from '../../../engine/subgraphs/index.ts'
import type { Logger } from '../log.ts'
import type { TracesSettings } from '../settings.ts'
import type { Traces } from './spans.ts'

export type { RequestSpan, Traces } from './spans.ts'

export async function openTraces(settings: TracesSettings, log: Logger): Promise<Traces | undefined> {
  for (const warning of settings.warnings) log.warn({ setting: warning }, 'a setting of traces is ignored')
  const { url } = settings
  if (url === undefined) return undefined
  const { Traces } = await import('./spans.ts')
  return new Traces({ ...settings, url }, log)
}

/** The same transport, with a span for each fetch. */
export function traceTransport(transport: Transport, traces: Traces): Transport {
  return withFetches(transport, (operation) => {
    const send = transport.prepare(operation)
    const attributes = {
      'graphql.operation.type': operation.kind,
      'tessera.subgraph': transport.name,
    }
    return (variables, request, extras) =>
      traces.step(
        `fetch ${transport.name}`,
        attributes,
        () => send(variables, request, extras),
        (result) => {
          const { errors } = result
          if (errors === undefined || errors.length === 0) return undefined
          const code = errors[0]?.extensions?.code
          return typeof code === 'string' ? code : 'INTERNAL_SERVER_ERROR'
        },
      )
  })
}
