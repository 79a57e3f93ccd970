/** A short text that stands for the caller of a request: who the token names, or else the token itself. */
import { hash } from 'node:crypto'
import type { GatewayRequest } from '../../engine/request.ts'
import { callerName } from '../../shared/identity.ts'

/**
 * Empty for all requests without a token, and for callers whom hooks let in without a name: nothing tells them apart.
 */
export function callerKeyOf(request: Pick<GatewayRequest, 'identity' | 'header'>): string {
  const { identity } = request
  if (identity?.authenticated !== true) return ''
  const token = request.header('authorization') ?? ''
  const name = callerName(identity) ?? (token === '' ? undefined : ['token', token])
  return name === undefined ? '' : hash('sha256', JSON.stringify(name), 'base64')
}
