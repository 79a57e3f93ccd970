/**
 * The token endpoint of an authorization server. It gets a form by POST, and its response is bounded in time and
 * size and never quoted in an error.
 */
import { z } from 'zod'
import { createOauthEndpoint, errorCodeIn } from '../../../shared/http/oauth-endpoint.ts'
import { parsedJson } from '../../../shared/json/parse-json.ts'
import { isLoopback } from '../rest-client/address.ts'
import { parseJson } from '../rest-client/json.ts'

export interface FetchedToken {
  /** The headers to send, as alternating names and values. */
  readonly headers: readonly string[]
  /** When the token was requested, in milliseconds since 1970. */
  readonly since: number
  readonly lifeMs: number
}

/** The authorization server gives no token for this caller; others may get one. */
export class CredentialRefused extends Error {
  override readonly name = 'CredentialRefused'
}

const fetchTimeoutMs = 10_000
/** The lifetime that is assumed if the server does not say one. */
const defaultLifeSeconds = 300

const tokenShape = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  expires_in: z.number().positive().optional(),
})

/** Error codes about the caller's own token, and not about this server's credential. */
const aboutCaller = new Set(['invalid_grant', 'invalid_request', 'access_denied'])

/** Plain HTTP is allowed only within this machine, because the grant is a secret. */
export function tokenUrlFrom(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)) ? url : undefined
}

/** `perCaller` says whether each token is for one caller, who may be refused. */
export function createTokenEndpoint(
  url: URL,
  { perCaller = false, now }: { readonly perCaller?: boolean; readonly now: () => number },
) {
  const endpoint = createOauthEndpoint(url, { connections: perCaller ? 16 : 1, timeoutMs: fetchTimeoutMs })

  return {
    /** Rejects with an Error that may be logged. It is a `CredentialRefused` if the server refused this caller. */
    async fetch(form: URLSearchParams, authorization?: string): Promise<FetchedToken> {
      const since = now()
      const got = await endpoint.post(form, authorization)
      if (got.loss !== undefined)
        throw new Error(`the token server did not respond: ${got.loss}`, { cause: got.cause })
      const json = parsedJson(got.body, parseJson)
      if (got.status !== 200) {
        const code = errorCodeIn(json)
        const message = `the token server answered ${got.status}${code === undefined ? '' : ` (${code})`}`
        const isAboutCaller =
          perCaller && (got.status === 400 || got.status === 403) && aboutCaller.has(code ?? '')
        throw isAboutCaller ? new CredentialRefused(message) : new Error(message)
      }
      const token = tokenShape.safeParse(json)
      if (!token.success) throw new Error('the token server answered without a token')
      const { access_token: text, expires_in: seconds = defaultLifeSeconds } = token.data
      return { headers: ['authorization', `Bearer ${text}`], since, lifeMs: seconds * 1000 }
    },
    close: endpoint.close,
  }
}
