/** A short text that stands for the caller of a request: the token's issuer and subject. */
import { hash } from 'node:crypto'
import type { GatewayRequest } from '../engine/request.ts'

/** All requests without a token are one caller: no more is known of them. */
export function callerOf(request: GatewayRequest): string {
  const { identity } = request
  if (identity?.authenticated !== true) return ''
  const { subject, claims } = identity
  const name =
    subject === undefined ? (request.header('authorization') ?? '') : `${String(claims.iss)} ${subject}`
  return subject !== undefined && name.length <= longestName ? name : hash('sha256', name, 'base64')
}

const longestName = 200
