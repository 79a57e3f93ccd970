/** The trusted issuers: the first one, of `jwt` and `tokenIntrospection`, and those of `issuers`. */
import { readClientKey } from '../../shared/http/client-authentication.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'
import type { IssuerOptions, TokenKey } from '../auth/authenticate/index.ts'
import type { IssuerSection } from '../auth/config.ts'
import type { NameOf } from './consistency.ts'
import type { Settings } from './sections.ts'

type Asked = NonNullable<IssuerSection['introspection']>

/** Undefined if its key is invalid, which is a fault of what is named. */
function introspectionBy(
  { url, clientId, clientSecret: secret, clientKey, clientKeyId: keyId, clientAuth, cacheSeconds }: Asked,
  audience: string,
  name: string,
  faults: string[],
): IssuerOptions['introspection'] {
  const cacheMs = cacheSeconds * 1000
  if (secret !== undefined) return { url, clientId, proof: { by: clientAuth, secret }, cacheMs }
  try {
    const key = readClientKey(clientKey ?? '')
    return { url, clientId, proof: { by: 'private_key_jwt', key, keyId, audience }, cacheMs }
  } catch (error) {
    faults.push(`${name}: ${messageOf(error)}`)
    return undefined
  }
}

function keysOf({ jwksUrl, publicKey, secret }: Settings['jwt'] | IssuerSection): TokenKey[] {
  return [
    ...(jwksUrl === undefined ? [] : [{ kind: 'jwks' as const, url: jwksUrl }]),
    ...(publicKey === undefined ? [] : [{ kind: 'pem' as const, pem: publicKey }]),
    ...(secret === undefined ? [] : [{ kind: 'secret' as const, secret }]),
  ]
}

function fromSection(section: IssuerSection, faults: string[]): IssuerOptions {
  const { jwksUrl: _url, publicKey: _pem, secret: _secret, introspection, scopes: aliases, ...rest } = section
  const { issuer } = section
  return {
    ...rest,
    aliases,
    key: keysOf(section)[0],
    introspection:
      introspection && introspectionBy(introspection, issuer, `issuers: clientKey of ${issuer}`, faults),
  }
}

function firstIntrospection(
  { jwt, tokenIntrospection: given }: Settings,
  name: NameOf,
  faults: string[],
): IssuerOptions['introspection'] {
  const { url, clientId, clientSecret, clientKey, clientKeyId } = given
  if ([url, clientId, clientSecret, clientKey, clientKeyId].every((each) => each === undefined))
    return undefined
  const at = (key: string): string => name(`tokenIntrospection.${key}`)
  if (
    url === undefined ||
    clientId === undefined ||
    (clientSecret === undefined) === (clientKey === undefined)
  ) {
    faults.push(
      `${at('url')}, ${at('clientId')} and one of ${at('clientSecret')} and ${at('clientKey')} are required as soon as one of them is given`,
    )
    return undefined
  }
  return introspectionBy({ ...given, url, clientId }, jwt.issuer ?? url, at('clientKey'), faults)
}

const rules = ['issuer', 'audience', 'algorithms', 'type', 'requiredClaims'] as const

export function trustedIssuersOf(
  settings: Settings,
  name: NameOf,
  faults: string[],
): readonly IssuerOptions[] {
  const { jwt, authorization } = settings
  const keys = keysOf(jwt)
  const keyNames = ['jwt.jwksUrl', 'jwt.publicKey', 'jwt.secret'].map(name).join(', ')
  if (keys.length > 1) faults.push(`${keyNames}: give one of them, not several`)
  const introspection = firstIntrospection(settings, name, faults)
  const others = settings.issuers.map((section) => fromSection(section, faults))
  const named = [jwt.issuer, ...others.map(({ issuer }) => issuer)].filter((issuer) => issuer !== undefined)
  if (new Set(named).size < named.length)
    faults.push(`issuers: each issuer once, including the one of ${name('jwt.issuer')}`)
  const [key] = keys
  if (key === undefined && introspection === undefined) {
    for (const rule of rules)
      if (jwt[rule] !== undefined)
        faults.push(`${name(`jwt.${rule}`)}: needs one of ${keyNames}, ${name('tokenIntrospection.url')}`)
    return others
  }
  if (others.length > 0 && jwt.issuer === undefined)
    faults.push(
      `${name('jwt.issuer')}: required if there are further issuers, because it identifies the issuer of a token`,
    )
  const { issuer, audience, algorithms, type, requiredClaims } = jwt
  const aliases = authorization.scopeAliases
  return [{ key, introspection, issuer, audience, algorithms, type, requiredClaims, aliases }, ...others]
}
