/** The trusted issuers, from the variables and from the section of the file. */
import { readClientKey } from '../../shared/http/client-authentication.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'
import type { IssuerConfig, JwtConfig, Values } from './config.ts'
import type { IssuerSection } from './sections/issuers.ts'

const rules = [
  'TESSERA_JWT_ISSUER',
  'TESSERA_JWT_AUDIENCE',
  'TESSERA_JWT_ALGORITHMS',
  'TESSERA_JWT_TYPE',
  'TESSERA_JWT_REQUIRED_CLAIMS',
] as const

interface Client {
  readonly secret: string | undefined
  readonly key: string | undefined
  readonly keyId: string | undefined
  readonly auth: 'basic' | 'post'
  readonly audience: string
}

/** Undefined if the key is invalid, which is a fault of the variable or section that is named. */
function proofOf({ secret, key, keyId, auth, audience }: Client, name: string, faults: string[]) {
  if (secret !== undefined) return { by: auth, secret } as const
  try {
    return { by: 'private_key_jwt', key: readClientKey(key ?? ''), keyId, audience } as const
  } catch (error) {
    faults.push(`${name}: ${messageOf(error)}`)
    return undefined
  }
}

function introspectionIn(values: Values, faults: string[]): IssuerConfig['introspection'] {
  const {
    TESSERA_INTROSPECTION_URL: url,
    TESSERA_INTROSPECTION_CLIENT_ID: clientId,
    TESSERA_INTROSPECTION_CLIENT_SECRET: secret,
    TESSERA_INTROSPECTION_CLIENT_KEY: key,
    TESSERA_INTROSPECTION_CLIENT_KEY_ID: keyId,
    TESSERA_INTROSPECTION_CLIENT_AUTH: auth,
  } = values
  if ([url, clientId, secret, key, keyId].every((value) => value === undefined)) return undefined
  if (url === undefined || clientId === undefined || (secret === undefined) === (key === undefined)) {
    faults.push(
      'TESSERA_INTROSPECTION_URL, TESSERA_INTROSPECTION_CLIENT_ID and one of TESSERA_INTROSPECTION_CLIENT_SECRET and TESSERA_INTROSPECTION_CLIENT_KEY are required as soon as one of them is given',
    )
    return undefined
  }
  const audience = values.TESSERA_JWT_ISSUER ?? url
  const proof = proofOf({ secret, key, keyId, auth, audience }, 'TESSERA_INTROSPECTION_CLIENT_KEY', faults)
  if (proof === undefined) return undefined
  return { url, clientId, proof, cacheSeconds: values.TESSERA_INTROSPECTION_CACHE_SECONDS }
}

function ofSection(section: IssuerSection, faults: string[]): IssuerConfig['introspection'] {
  const { issuer, introspection } = section
  if (introspection === undefined) return undefined
  const {
    url,
    clientId,
    cacheSeconds,
    clientSecret: secret,
    clientKey: key,
    clientKeyId: keyId,
    clientAuth: auth,
  } = introspection
  const client = { secret, key, keyId, auth, audience: issuer }
  const proof = proofOf(client, `issuers: clientKey of ${issuer}`, faults)
  return proof === undefined ? undefined : { url, clientId, proof, cacheSeconds }
}

function fromSection(section: IssuerSection, faults: string[]): IssuerConfig {
  const { jwksUrl, publicKey, secret, ...rest } = section
  const key: JwtConfig['key'] | undefined =
    jwksUrl !== undefined
      ? { kind: 'jwks', url: jwksUrl }
      : publicKey !== undefined
        ? { kind: 'pem', pem: publicKey }
        : secret === undefined
          ? undefined
          : { kind: 'secret', secret }
  return { ...rest, key, introspection: ofSection(section, faults) }
}

/** Several processes that know only their own proofs and nonces would accept a proof twice. */
function checkWorkers(values: Values, faults: string[]): void {
  if (values.TESSERA_DPOP === 'off' || values.TESSERA_WORKERS === 1) return
  if (values.TESSERA_REDIS_URL === undefined)
    faults.push(
      'TESSERA_REDIS_URL: required where TESSERA_DPOP is not off and TESSERA_WORKERS is not 1: it holds the proofs that were used',
    )
  if (values.TESSERA_DPOP_NONCE && values.TESSERA_DPOP_NONCE_SECRET === undefined)
    faults.push(
      'TESSERA_DPOP_NONCE_SECRET: required where TESSERA_DPOP_NONCE is true and TESSERA_WORKERS is not 1',
    )
}

/** `jwt`: the key in the variables. */
export function issuersFrom(
  values: Values,
  jwt: JwtConfig | undefined,
  sections: readonly IssuerSection[],
  faults: string[],
): readonly IssuerConfig[] {
  checkWorkers(values, faults)
  const introspection = introspectionIn(values, faults)
  const others = sections.map((section) => fromSection(section, faults))
  const named = [values.TESSERA_JWT_ISSUER, ...others.map(({ issuer }) => issuer)].filter(
    (issuer) => issuer !== undefined,
  )
  if (new Set(named).size < named.length)
    faults.push('issuers: each issuer once, the one of TESSERA_JWT_ISSUER included')
  if (jwt === undefined && introspection === undefined) {
    for (const name of rules) {
      if (values[name] === undefined) continue
      faults.push(
        `${name}: needs one of TESSERA_JWT_JWKS_URL, TESSERA_JWT_PUBLIC_KEY, TESSERA_JWT_SECRET, TESSERA_INTROSPECTION_URL beside it`,
      )
    }
    return others
  }
  if (others.length > 0 && values.TESSERA_JWT_ISSUER === undefined)
    faults.push('TESSERA_JWT_ISSUER: required if the file has further issuers: it tells whose a token is')
  const first: IssuerConfig = {
    key: jwt?.key,
    introspection,
    issuer: values.TESSERA_JWT_ISSUER,
    audience: values.TESSERA_JWT_AUDIENCE,
    algorithms: values.TESSERA_JWT_ALGORITHMS,
    type: values.TESSERA_JWT_TYPE,
    requiredClaims: values.TESSERA_JWT_REQUIRED_CLAIMS,
    scopes: values.TESSERA_SCOPE_ALIASES,
  }
  return [first, ...others]
}
