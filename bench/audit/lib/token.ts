/** Callers' tokens: JWTs by HMAC-SHA256, with the scopes in `scope`, as RFC 9068 writes them. */
import { createHmac } from 'node:crypto'
import type { Caller } from './types.ts'

/** The gateway gets it in AUDIT_JWT_SECRET. */
export const secret = 'a secret of the authorization audit alone'
export const issuer = 'https://issuer.audit.example'
/** The key's name in tokens: the gateway gets it in AUDIT_JWT_KEY_ID, for those that look keys up by name. */
export const keyId = 'audit'
export const audience = 'federation-authorization-audit'

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The `Authorization` header; undefined without a token. */
export function authorizationOf(caller: Caller): string | undefined {
  if (caller === 'anonymous') return undefined
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: issuer,
    aud: audience,
    sub: `caller:${caller.join(',')}`,
    client_id: 'audit',
    scope: caller.join(' '),
    iat: now,
    exp: now + 3600,
    jti: `${now}-${caller.join('-')}`,
  }
  const signed = `${part({ alg: 'HS256', typ: 'JWT', kid: keyId })}.${part(claims)}`
  return `Bearer ${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
