/** How callers' tokens are checked, as the configuration says. */

import type { Config, IssuerConfig, Values } from '../../config/index.ts'
import { memoryStores, type Stores } from '../../stores/index.ts'
import type { Logger } from '../../telemetry/log.ts'
import {
  type AssertionProof,
  createAssertionAuthenticator,
  derivedKey,
  readSigningKey,
  type SigningKey,
} from '../assertion/index.ts'
import {
  type Authenticator,
  createAuthenticator,
  createNonces,
  createProofMemory,
  dpopAlgorithms,
  type IssuerOptions,
  type PossessionOptions,
} from './index.ts'

export interface AuthenticatorParts {
  readonly log?: Logger | undefined
  /** Where used DPoP proofs are kept; in this process by default. */
  readonly stores?: Stores | undefined
  /** Where clients reach this server. */
  readonly address?: (() => string) | undefined
}

/** Checks callers' tokens with the configured keys; without one every token is refused. */
export function authenticatorFrom(config: Config, parts: AuthenticatorParts = {}): Authenticator {
  const { log } = parts
  const [first, ...others] = config.issuers.map(issuerFrom)
  for (const { issuer, audience, key } of config.issuers)
    if (issuer === undefined && audience === undefined && key !== undefined)
      log?.warn(
        'TOKENS OF ANY ISSUER AND FOR ANY AUDIENCE ARE TAKEN, as long as the configured key has signed them: set TESSERA_JWT_ISSUER and TESSERA_JWT_AUDIENCE',
      )
  return createAuthenticator({
    ...first,
    others,
    clockTolerance: config.values.TESSERA_TOKEN_CLOCK_TOLERANCE_SECONDS,
    maxTokenBytes: config.values.TESSERA_TOKEN_MAX_BYTES,
    leavesToSubgraphs: handsAuthorizationOn(config),
    possession: config.issuers.length === 0 ? undefined : possessionFrom(config, parts),
  })
}

/** Whether a rule sends the client's `Authorization` to a subgraph, which then checks it. */
function handsAuthorizationOn({ sections: { headers } }: Config): boolean {
  return Object.values(headers.subgraphs ?? {}).some(({ request = [] }) =>
    request.some(
      (rule) =>
        'propagate' in rule &&
        'named' in rule.propagate &&
        rule.propagate.named.toLowerCase() === 'authorization',
    ),
  )
}

function issuerFrom({ introspection, scopes, ...issuer }: IssuerConfig): IssuerOptions {
  return {
    ...issuer,
    aliases: scopes,
    introspection:
      introspection === undefined
        ? undefined
        : { ...introspection, cacheMs: introspection.cacheSeconds * 1000 },
  }
}

function possessionFrom(
  { values }: Config,
  { address, stores = memoryStores }: AuthenticatorParts,
): PossessionOptions {
  const { TESSERA_CLIENT_CERTIFICATE_HEADER: header } = values
  const isOff = values.TESSERA_DPOP === 'off'
  return {
    certificates:
      header === undefined && values.TESSERA_TLS_CLIENT_CA === undefined
        ? undefined
        : { header, proxies: values.TESSERA_CLIENT_CERTIFICATE_PROXIES },
    dpop: isOff
      ? undefined
      : {
          required: values.TESSERA_DPOP === 'require',
          algorithms: dpopAlgorithms,
          addresses: () => addressesOf(address?.()),
          memory: createProofMemory(stores),
          nonces: values.TESSERA_DPOP_NONCE
            ? createNonces(values.TESSERA_DPOP_NONCE_SECRET, Date.now)
            : undefined,
        },
  }
}

/** The names of the loopback interface are one to a client on the same machine. */
function addressesOf(address: string | undefined): string[] {
  if (address === undefined || address === '') return []
  const url = new URL(address)
  if (url.hostname !== '127.0.0.1' && url.hostname !== 'localhost') return [address]
  return ['127.0.0.1', 'localhost'].map((hostname) => {
    url.hostname = hostname
    return url.href.replace(/\/$/, '')
  })
}

/** What the service of one subgraph checks callers with; undefined if it leaves that to the gateway. */
export function serviceAuthenticatorFrom(config: Config, subgraph: string): Authenticator | undefined {
  const { values } = config
  if (!values.TESSERA_SUBGRAPH_SCOPES) return undefined
  const proof = values.TESSERA_SUBGRAPH_CALLER === 'assertion' ? assertionProofOf(values) : undefined
  return proof === undefined ? authenticatorFrom(config) : createAssertionAuthenticator(proof, subgraph)
}

function assertionProofOf(values: Values): AssertionProof | undefined {
  const {
    TESSERA_SUBGRAPH_ASSERTION_JWKS_URL: url,
    TESSERA_SUBGRAPH_ASSERTION_PUBLIC_KEY: pem,
    TESSERA_SUBGRAPH_SECRET: secret,
  } = values
  if (url !== undefined) return { kind: 'jwks', url }
  if (pem !== undefined) return { kind: 'pem', pem }
  return secret === undefined ? undefined : { kind: 'secret', secret }
}

/** What the gateway signs assertions with; undefined if subgraphs get none. */
export function assertionSigningKeyOf({ values }: Config): SigningKey | undefined {
  if (values.TESSERA_SUBGRAPH_CALLER !== 'assertion') return undefined
  const { TESSERA_SUBGRAPH_ASSERTION_KEY: pem, TESSERA_SUBGRAPH_SECRET: secret } = values
  if (pem !== undefined) return readSigningKey(pem)
  return secret === undefined ? undefined : derivedKey(secret)
}
