/**
 * The kind of the server, as far as it affects requests. VictoriaMetrics hides samples of the last 30 seconds,
 * rounds the times of ranges unless a parameter prevents it, and misreads times before 1970.
 *
 * The kind is detected from the server's build information, once for each credential, because a proxy may lead each
 * tenant to another server. It is checked again from time to time while queries continue.
 */
import { LRUCache } from 'lru-cache'
import type { SubgraphRequest } from '../../shared/request.ts'
import { backgroundRequest } from '../kit/background-request.ts'
import { isObject } from '../kit/json.ts'
import { callOf } from '../kit/operation.ts'
import type { Upstream } from '../kit/rest-client/index.ts'
import { envelopeFrom } from './envelope.ts'
import { operations } from './operations.ts'

export type ServerKind = 'prometheus' | 'victoriametrics'

/** The kind that answers a request. Only the first request of a credential gets a promise. */
export type KindFor = (request: SubgraphRequest) => ServerKind | Promise<ServerKind>

interface Known {
  kind: ServerKind
  /** When it is checked again, by `performance.now()`. */
  until: number
  asking: Promise<ServerKind> | undefined
}

/** How long a first query waits for the detection. */
const mostWaitMs = 2000
/** The pause before the same server is checked again, and the pause after it did not answer. */
const againMs = 600_000
const afterFailureMs = 30_000
const mostCredentials = 1000

export function createKindDetection(
  upstream: Upstream,
  now: () => number = () => performance.now(),
): KindFor {
  const known = new LRUCache<string, Known>({ max: mostCredentials })

  async function ask(entry: Known, request: SubgraphRequest): Promise<ServerKind> {
    const { buildInfo } = operations
    const call = { ...callOf(buildInfo, buildInfo.path), timeoutMs: mostWaitMs }
    try {
      const response = await upstream.send(call, backgroundRequest('recognise', request, mostWaitMs))
      entry.kind = kindFrom(response.headers, response.body)
      entry.until = now() + againMs
    } catch {
      // The query itself will show what is wrong. The kind stays until the server answers.
      entry.until = now() + afterFailureMs
    }
    entry.asking = undefined
    return entry.kind
  }

  return (request) => {
    const key = upstream.credentialKey(request)
    const entry = known.get(key)
    if (entry === undefined) {
      const first: Known = { kind: 'prometheus', until: Number.POSITIVE_INFINITY, asking: undefined }
      known.set(key, first)
      first.asking = ask(first, request)
      return first.asking
    }
    if (entry.until > now()) return entry.asking ?? entry.kind
    entry.until = Number.POSITIVE_INFINITY
    void ask(entry, request)
    return entry.kind
  }
}

/** VictoriaMetrics gives no build information, or only the version of Prometheus with which it is compatible. */
function kindFrom(headers: Readonly<Record<string, unknown>>, body: unknown): ServerKind {
  if (headers['x-server-hostname'] !== undefined) return 'victoriametrics'
  const data = envelopeFrom(body)?.data
  return isObject(data) && Object.keys(data).every((key) => key === 'version')
    ? 'victoriametrics'
    : 'prometheus'
}
