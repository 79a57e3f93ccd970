/** Callers' tokens: JWTs signed by HMAC-SHA256, with the scopes in `scope` (RFC 9068). */
import { createHmac } from 'node:crypto'
import type { Caller } from './types.ts'

/** The gateway gets it in AUDIT_JWT_SECRET. */
export const secret = 'a secret of the authorization audit alone'
export const issuer = 'https://issuer.audit.example'
/** The key id in tokens. The gateway gets it in AUDIT_JWT_KEY_ID, if it looks keys up by id. */
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
