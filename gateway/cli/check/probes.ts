/** What `tessera check` asks each service: little, nothing that changes anything, and some of it needs a scope. */
import type { ServiceName } from '../../../subgraphs/index.ts'

export interface Probe {
  /** What the query asks for, in words. */
  readonly what: string
  readonly query: string
  /** What of the answer is worth telling. */
  readonly said?: (data: Readonly<Record<string, unknown>>) => string | undefined
  /** Asks for a field that needs a scope. */
  readonly scoped: string
}

const agent = '{ agent(project: "tessera-check") { displayName } }'
const message = '{ message(messageId: "20") { messageId text } }'
const buildInfo = '{ metrics { buildInfo { version } } }'

export const probes: Readonly<Record<ServiceName, Probe>> = {
  videos: {
    what: 'a video of the chart',
    query: '{ chartVideos(chart: MOST_POPULAR, first: 1) { nodes { videoId } } }',
    scoped: '{ ratedVideos(rating: LIKE, first: 1) { nodes { videoId } } }',
  },
  agents: { what: 'an agent', query: agent, scoped: agent },
  messages: { what: 'a message', query: message, scoped: message },
  metrics: {
    what: 'its version',
    query: buildInfo,
    scoped: buildInfo,
    said(data) {
      const metrics = data.metrics as { buildInfo?: { version?: unknown } | null } | null | undefined
      const version = metrics?.buildInfo?.version
      return typeof version === 'string' ? `version ${version}` : undefined
    },
  },
}
