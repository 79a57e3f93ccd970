/** Who sends a message, by the same check as for `/graphql`, and the response to whoever lacks a token or a scope. */
import { headerOf } from '../../shared/http/headers.ts'
import type { Identity } from '../../shared/identity.ts'
import type { Authenticator } from '../auth/authenticate/index.ts'
import { type Challenge, challengeOf } from '../auth/challenge/index.ts'
import { clientCertificateOf } from '../auth/client-certificate.ts'
import type { GraphqlOverHttpOptions, HttpRequest, HttpResponse } from '../graphql-http/graphql-over-http.ts'
import { maskError } from '../pipeline/mask.ts'
import { statusOf } from '../pipeline/result-status.ts'
import { callerTrace, type Logger } from '../telemetry/log.ts'
import { rpcCodes, rpcFailure } from './protocol/errors.ts'

export interface IdentifierOptions {
  readonly authenticator: Pick<Authenticator, 'authenticate' | 'nonce'>
  readonly challengeHead: GraphqlOverHttpOptions['challengeHead']
  readonly log: Logger
}

export interface Identifier {
  /** Who asks, or the response that refuses them. `id` is that of the message. */
  identify(http: HttpRequest, id: unknown): Promise<Identity | HttpResponse>
  /** 403 for a token that lacks scopes, else 401. */
  challenged(http: HttpRequest, challenge: Challenge, message: string, id: unknown): HttpResponse
}

export function createIdentifier({ authenticator, challengeHead, log }: IdentifierOptions): Identifier {
  const challenged: Identifier['challenged'] = (http, challenge, message, id) => {
    const { nonce } = authenticator
    return rpcFailure(challenge.error === 'insufficient_scope' ? 403 : 401, rpcCodes.refused, message, {
      id,
      data: { error: challenge.error ?? 'unauthenticated', scope: challenge.scope },
      head: [
        ...challengeHead(challenge, http.headers.host),
        ...(nonce === undefined ? [] : ['dpop-nonce', nonce()]),
      ],
    })
  }
  return {
    challenged,
    async identify(http, id) {
      const { method, url, headers, socket } = http
      const header = (name: string): string | undefined => headerOf(headers, name)
      try {
        const identity = await authenticator.authenticate(header('authorization'), {
          method,
          url,
          peer: () => socket?.remoteAddress,
          certificate: () => clientCertificateOf(socket),
          header,
        })
        // Even what needs no token: a client that shows an old one is to get a new one.
        if (identity.tokenFault !== undefined) throw identity.tokenFault
        return identity
      } catch (error) {
        const masked = maskError(error, http.id, log, callerTrace(headers).trace_id)
        const found = challengeOf([masked], undefined)
        if (found !== undefined) return challenged(http, found.challenge, masked.message, id)
        const status = statusOf({ errors: [masked] }, 'application/graphql-response+json')
        return rpcFailure(status, rpcCodes.refused, masked.message, { id })
      }
    },
  }
}
