/** The interface of every kind of credential in use. */
import { hash } from 'node:crypto'
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { Awaitable } from '../../../shared/runtime/is-promise.ts'

/** A credential in use. */
export interface OpenCredential {
  /** The headers to send, as alternating names and values; a promise if a token must be fetched first. */
  headers(request: SubgraphRequest): Awaitable<readonly string[]>
  /** Equal keys mean the same upstream credential. */
  key(request: SubgraphRequest): string
  /**
   * Call it after the service refused `shown`. Forgets that token if another one can be fetched, and returns
   * whether one can.
   */
  renew?(shown: readonly string[]): boolean
  close?(): Promise<void>
}

/** The headers of a caller without a credential. */
export const nothing: readonly string[] = []

/** The key of a secret, which it does not contain. */
export function digest(kind: string, secret: string): string {
  return `${kind}:${hash('sha256', `tessera\0${kind}\0${secret}`, 'base64url').slice(0, 22)}`
}
