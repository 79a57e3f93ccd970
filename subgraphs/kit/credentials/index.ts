/**
 * How calls are authenticated to a service: not at all, or with a key, a token, a password, a token of a Google
 * account or of an authorization server, a token for each caller, or the caller's own header.
 *
 * Reading a credential from configuration never echoes it. Equal keys mean the same upstream credential. The key
 * holds a digest instead of the secret, and caches and shared calls are keyed by it.
 */
import type { SubgraphRequest } from '../../../shared/request.ts'
import { createGoogleTokens, defaultGoogleScope, readGoogleFile } from './google.ts'
import { createClientTokens, createExchangedTokens } from './oauth.ts'
import { readOauthFile } from './oauth-file.ts'
import { digest, nothing, type OpenCredential } from './open-credential.ts'

export type { OpenCredential } from './open-credential.ts'
export { CredentialRefused } from './token-endpoint.ts'

/** How calls to a service are authenticated. `parseCredential` reads one from text. */
export type Credential =
  | { readonly kind: 'none' }
  /** An API key. It is sent as a header, so that it stays out of URLs. */
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  /** The JSON file of a service account or an authorized user. The scope is `cloud-platform` by default. */
  | { readonly kind: 'google'; readonly file: string; readonly scopes?: readonly string[] }
  /** A client of an authorization server, described by a JSON file. The service gets the client's own token. */
  | { readonly kind: 'client'; readonly file: string }
  /** The same, but the client exchanges the caller's token for one that the service accepts. */
  | { readonly kind: 'exchange'; readonly file: string }
  /** The caller's own credential: this request header (lower case) is passed on as `Authorization`. */
  | { readonly kind: 'forward'; readonly header: string }

/** The forms that `parseCredential` reads, as error messages list them. */
export const credentialForms =
  'none, key:KEY, bearer:TOKEN, basic:USER:PASSWORD, google:FILE, client:FILE, exchange:FILE or forward' as const

/**
 * Reads a configured credential of `service`. Throws an Error that names the expected forms and never quotes the
 * value.
 */
export function parseCredential(text: string, service: string): Credential {
  const colon = text.indexOf(':')
  const kind = colon < 0 ? text : text.slice(0, colon)
  const rest = colon < 0 ? '' : text.slice(colon + 1)
  const wrong = (expected: string): Error => new Error(`the credential of ${service} must be ${expected}`)
  switch (kind) {
    case 'none':
    case 'forward':
      if (colon >= 0) throw wrong(`"${kind}" alone`)
      return kind === 'none'
        ? { kind: 'none' }
        : { kind: 'forward', header: `x-${service.toLowerCase()}-authorization` }
    case 'key':
      if (!isHeaderValue(rest)) throw wrong('"key:" followed by the key, in visible ASCII characters')
      return { kind: 'key', key: rest }
    case 'bearer':
      if (!isHeaderValue(rest)) throw wrong('"bearer:" followed by the token, in visible ASCII characters')
      return { kind: 'bearer', token: rest }
    case 'basic': {
      const split = rest.indexOf(':')
      if (split < 1) throw wrong('"basic:" followed by user, a colon and password')
      return { kind: 'basic', user: rest.slice(0, split), password: rest.slice(split + 1) }
    }
    case 'google':
    case 'client':
    case 'exchange':
      if (rest === '') throw wrong(`"${kind}:" followed by the path of a credentials file`)
      return { kind, file: rest }
    default:
      throw wrong(`one of ${credentialForms}`)
  }
}

function isHeaderValue(value: string): boolean {
  return /^[\x21-\x7e]+$/.test(value)
}

export function openCredential(credential: Credential, service: string): OpenCredential {
  switch (credential.kind) {
    case 'none':
      return { headers: () => nothing, key: () => 'none' }
    case 'key':
      return fixed(['x-goog-api-key', credential.key], 'key')
    case 'bearer':
      return fixed(['authorization', `Bearer ${credential.token}`], 'bearer')
    case 'basic': {
      const pair = Buffer.from(`${credential.user}:${credential.password}`, 'utf8').toString('base64')
      return fixed(['authorization', `Basic ${pair}`], 'basic')
    }
    case 'forward': {
      const { header } = credential
      // A value from outside is sent only if it is a valid header. Anything else counts as no credential.
      const sent = (request: SubgraphRequest): string | undefined => {
        const value = request.header(header)
        return value !== undefined && /^[\x20-\x7e]+$/.test(value) ? value : undefined
      }
      return {
        headers: (request) => {
          const value = sent(request)
          return value === undefined ? nothing : ['authorization', value]
        },
        key: (request) => {
          const value = sent(request)
          return value === undefined ? 'none' : digest('forward', value)
        },
      }
    }
    case 'google':
      return createGoogleTokens(
        readGoogleFile(credential.file, service),
        credential.scopes ?? [defaultGoogleScope],
      )
    case 'client':
      return createClientTokens(readOauthFile(credential.file, service))
    case 'exchange':
      return createExchangedTokens(readOauthFile(credential.file, service))
  }
}

function fixed(headers: readonly [string, string], kind: string): OpenCredential {
  const key = digest(kind, headers[1])
  return { headers: () => headers, key: () => key }
}
