/** A short text that stands for the caller of a request: who the token names, or else the token itself. */
import { hash } from 'node:crypto'
import type { GatewayRequest } from '../../engine/request.ts'
import { callerName } from '../../shared/identity.ts'

/** All requests without a token count as one caller, because nothing tells them apart. */
export function callerOf(request: Pick<GatewayRequest, 'identity' | 'header'>): string {
  const { identity } = request
  if (identity?.authenticated !== true) return ''
  const name = callerName(identity) ?? ['token', request.header('authorization') ?? '']
  return hash('sha256', JSON.stringify(name), 'base64')
}
