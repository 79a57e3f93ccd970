/**
 * Requests to one registry with the credential that it requires: none, a name and a password, or a token that its token
 * service gives for them. A token is kept until it expires or is refused.
 */
import { objectOf } from '../../../shared/json/is-object.ts'
import { parsedJson } from '../../../shared/json/parse-json.ts'
import { fetchSource, type SourceRequest, type SourceResponse } from '../http.ts'
import { type ReadingBounds, SourceFailure } from '../source.ts'
import { basicFor } from './credentials.ts'
import type { OciReference } from './reference.ts'

interface RegistryRequest extends Omit<SourceRequest, 'url' | 'secret'> {
  /** Below `/v2/NAME/`, or a whole address, as the registry returns it for an upload. */
  readonly path: string | URL
}

export type RegistrySession = ReturnType<typeof createSession>

/** How an artifact of a registry is reached. */
export interface RegistryAccess extends ReadingBounds {
  readonly reference: OciReference
  /** The file with credentials. */
  readonly credentials: string | undefined
}

interface SessionOptions extends RegistryAccess {
  readonly actions: 'pull' | 'pull,push'
}

interface Proof {
  readonly header: string
  /** In the time of `performance.now()`. */
  readonly ends: number
}

const mostTokenBytes = 256 * 1024
/** The lifetime of a token if the token service gives none. */
const defaultTokenSeconds = 60
const longestTokenSeconds = 3600

export function createSession({ reference, actions, credentials, ...bounds }: SessionOptions) {
  const { registry, repository } = reference
  let proof: Proof | undefined

  async function prove(challenge: string): Promise<Proof> {
    const basic = await basicFor(registry.host, credentials)
    if (/^basic\b/i.test(challenge)) {
      if (basic === undefined)
        throw new SourceFailure(
          'the registry requires a name and a password: TESSERA_OCI_CONFIG has none for it',
        )
      return { header: basic, ends: Number.POSITIVE_INFINITY }
    }
    const url = tokenAddress(challenge, `repository:${repository}:${actions}`)
    if (url === undefined) throw new SourceFailure('the registry requires an unknown kind of authentication')
    if (registry.protocol === 'https:' && url.protocol !== 'https:')
      throw new SourceFailure('the registry names a token service without https')
    const { status, body } = await fetchSource(
      {
        method: 'GET',
        url,
        headers: ['accept', 'application/json'],
        secret: basic === undefined ? [] : ['authorization', basic],
        maxBytes: mostTokenBytes,
        follow: false,
      },
      bounds,
      'the token service of the registry',
    )
    if (status !== 200)
      throw new SourceFailure(`the token service of the registry answered ${status}: expected 200`)
    return tokenIn(body.toString('utf8'))
  }

  const once = ({ path, ...request }: RegistryRequest): Promise<SourceResponse> => {
    const url = path instanceof URL ? path : new URL(`/v2/${repository}/${path}`, registry)
    const isRegistry = url.origin === registry.origin
    const secret = proof !== undefined && isRegistry ? ['authorization', proof.header] : []
    return fetchSource({ ...request, url, secret }, bounds, 'the registry')
  }

  return {
    /** Throws a `SourceFailure` if there is no response, or the registry refuses access. */
    async send(request: RegistryRequest): Promise<SourceResponse> {
      if (proof !== undefined && performance.now() >= proof.ends) proof = undefined
      const first = await once(request)
      const challenge = first.headers['www-authenticate']
      if (first.status !== 401 || challenge === undefined || first.url.origin !== registry.origin)
        return first
      proof = undefined
      proof = await prove(challenge)
      return once(request)
    },
  }
}

/** The address of the token service in `Bearer realm="…",service="…"`. */
function tokenAddress(challenge: string, scope: string): URL | undefined {
  if (!/^bearer\s/i.test(challenge)) return undefined
  const parts = new Map(
    [...challenge.matchAll(/([a-z]{1,20})="([^"]*)"/gi)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      value,
    ]),
  )
  const url = URL.parse(parts.get('realm') ?? '')
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') return undefined
  const service = parts.get('service')
  if (service !== undefined) url.searchParams.set('service', service)
  url.searchParams.set('scope', scope)
  return url
}

function tokenIn(text: string): Proof {
  const read = objectOf(parsedJson(text))
  const token = read.token ?? read.access_token
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
    throw new SourceFailure('the token service of the registry returned no token')
  const seconds = typeof read.expires_in === 'number' ? read.expires_in : defaultTokenSeconds
  return {
    header: `Bearer ${token}`,
    // A token that expires on its way would be refused.
    ends: performance.now() + (Math.min(seconds, longestTokenSeconds) - 5) * 1000,
  }
}
