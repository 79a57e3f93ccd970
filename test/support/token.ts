/** Tokens that a test signs itself, with the secret by which its gateway checks them (`TESSERA_JWT_SECRET`). */
import { type JWTPayload, SignJWT } from 'jose'

export const tokenSecret = 'a secret of thirty-two characters'

/** `claims` stand instead of the usual ones: the subject `demo`, good for an hour. */
export const signToken = (claims: JWTPayload, secret = tokenSecret): Promise<string> =>
  new SignJWT({ sub: 'demo', exp: Math.floor(Date.now() / 1000) + 3600, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .sign(new TextEncoder().encode(secret))
