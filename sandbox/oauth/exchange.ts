/**
 * Token exchange (RFC 8693) at the sandbox: the gateway gets a token of the same person for the audience that it
 * names.
 */
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import type Provider from 'oidc-provider'

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'

interface Subject {
  readonly sub: string
  readonly scope: string
}

/** `keys` are the public keys for tokens that are JWTs. */
export function registerExchange(
  provider: Provider,
  keys: JSONWebKeySet,
  invalidGrant: new () => Error,
): void {
  const keySet = createLocalJWKSet(keys)

  async function subjectOf(token: string): Promise<Subject> {
    if (token.split('.').length === 3) {
      try {
        const { payload } = await jwtVerify(token, keySet, { issuer: provider.issuer, typ: 'at+jwt' })
        if (typeof payload.sub === 'string') return { sub: payload.sub, scope: String(payload.scope ?? '') }
      } catch {
        // The response is the same whatever is wrong with the token.
      }
      throw new invalidGrant()
    }
    const found = await provider.AccessToken.find(token)
    if (found?.accountId === undefined) throw new invalidGrant()
    return { sub: found.accountId, scope: found.scope ?? '' }
  }

  const resources = ['audience', 'resource']
  const tokens = ['subject_token', 'subject_token_type', 'requested_token_type']
  provider.registerGrantType(
    exchangeGrant,
    async (context) => {
      const { oidc } = context
      const params = (oidc.params ?? {}) as Record<string, string | undefined>
      const { subject_token: subject, audience = provider.issuer, scope } = params
      const { client } = oidc
      if (client === undefined || subject === undefined) throw new invalidGrant()
      const { sub, scope: held } = await subjectOf(subject)
      const wanted = scope ?? held
      const token = new provider.AccessToken({
        accountId: sub,
        client,
        grantId: '',
        gty: 'token_exchange',
        scope: wanted,
      } as unknown as ConstructorParameters<typeof provider.AccessToken>[0])
      token.resourceServer = new provider.ResourceServer(audience, {
        scope: wanted,
        audience,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 300,
        jwt: { sign: { alg: 'RS256' } },
      })
      context.body = {
        access_token: await token.save(),
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: token.expiration,
        scope: wanted,
      }
    },
    [...tokens, 'scope', ...resources],
    resources,
  )
}
