/** How callers' tokens are checked, and this graph as an OAuth resource, as the configuration says. */
import type { ExplorerSignIn } from '../../explorer/settings.ts'
import type { Config } from '../config/index.ts'
import { headersSent } from '../headers/index.ts'
import { memoryStores, type Stores } from '../stores/index.ts'
import type { Logger } from '../telemetry/log.ts'
import {
  type AssertionProof,
  createAssertionAuthenticator,
  derivedKey,
  readSigningKey,
  type SigningKey,
} from './assertion.ts'
import {
  type Authenticator,
  createAuthenticator,
  createNonces,
  createProofMemory,
  dpopAlgorithms,
  type PossessionOptions,
} from './authenticate/index.ts'
import type { ResourceFacts } from './resource-metadata.ts'

interface AuthenticatorParts {
  readonly log?: Logger | undefined
  /** Where used DPoP proofs are kept; in this process by default. */
  readonly stores?: Stores | undefined
  /** Where clients reach this server. */
  readonly address?: (() => string) | undefined
}

/** Checks callers' tokens with the configured keys; without one every token is refused. */
export function authenticatorFrom(config: Config, parts: AuthenticatorParts = {}): Authenticator {
  const { log } = parts
  const [first, ...others] = config.trustedIssuers
  for (const { issuer, audience, key } of config.trustedIssuers)
    if (issuer === undefined && audience === undefined && key !== undefined)
      log?.warn(
        'TOKENS OF ANY ISSUER AND FOR ANY AUDIENCE ARE TAKEN, as long as the configured key has signed them: set TESSERA_JWT_ISSUER and TESSERA_JWT_AUDIENCE',
      )
  return createAuthenticator({
    ...first,
    others,
    clockTolerance: config.token.clockToleranceSeconds,
    maxTokenBytes: config.token.maxBytes,
    // A subgraph that gets the client's header checks it.
    leavesToSubgraphs: headersSent({ subgraphs: config.headers.subgraphs }).includes('authorization'),
    possession: config.trustedIssuers.length === 0 ? undefined : possessionFrom(config, parts),
  })
}

function possessionFrom(
  config: Config,
  { address, stores = memoryStores }: AuthenticatorParts,
): PossessionOptions {
  const { clientCertificate, dpop } = config
  return {
    certificates:
      clientCertificate.header === undefined && config.server.tls.clientCa === undefined
        ? undefined
        : { ...clientCertificate, header: clientCertificate.header },
    dpop:
      dpop.mode === 'off'
        ? undefined
        : {
            required: dpop.mode === 'require',
            addresses: () => addressesOf(address?.()),
            memory: createProofMemory(stores),
            nonces: dpop.nonce ? createNonces(dpop.nonceSecret, Date.now) : undefined,
          },
  }
}

/** A client on the same machine may use either name of the loopback interface. */
function addressesOf(address: string | undefined): string[] {
  if (address === undefined || address === '') return []
  const url = new URL(address)
  if (url.hostname !== '127.0.0.1' && url.hostname !== 'localhost') return [address]
  return ['127.0.0.1', 'localhost'].map((hostname) => {
    url.hostname = hostname
    return url.href.replace(/\/$/, '')
  })
}

/** Checks callers in the service of one subgraph; undefined if it leaves that to the gateway. */
export function serviceAuthenticatorFrom(config: Config, subgraph: string): Authenticator | undefined {
  if (!config.subgraph.scopes) return undefined
  const proof = config.subgraph.caller === 'assertion' ? assertionProofOf(config) : undefined
  return proof === undefined ? authenticatorFrom(config) : createAssertionAuthenticator(proof, subgraph)
}

function assertionProofOf({ subgraph }: Config): AssertionProof | undefined {
  const { assertionJwksUrl: url, assertionPublicKey: pem, secret } = subgraph
  if (url !== undefined) return { kind: 'jwks', url }
  if (pem !== undefined) return { kind: 'pem', pem }
  return secret === undefined ? undefined : { kind: 'secret', secret }
}

/** The key with which the gateway signs assertions; undefined if subgraphs get none. */
export function assertionSigningKeyOf(config: Config): SigningKey | undefined {
  if (config.subgraph.caller !== 'assertion') return undefined
  const { assertionKey: pem, secret } = config.subgraph
  if (pem !== undefined) return readSigningKey(pem)
  return secret === undefined ? undefined : derivedKey(secret)
}

/** This graph as an OAuth resource: everything but the scopes, which the supergraph knows. */
export function resourceOf(config: Config): Omit<ResourceFacts, 'scopes'> {
  return {
    issuers: config.trustedIssuers.flatMap(({ issuer }) =>
      issuer === undefined || !/^https?:$/.test(URL.parse(issuer)?.protocol ?? '') ? [] : [issuer],
    ),
    dpop: config.dpop.mode === 'off' ? undefined : dpopAlgorithms,
    dpopRequired: config.dpop.mode === 'require',
    certificates: config.clientCertificate.header !== undefined || config.server.tls.clientCa !== undefined,
  }
}

/** Where the explorer page signs its user in; undefined if it does not. */
export function explorerSignInOf({ explorer, jwt }: Config): ExplorerSignIn | undefined {
  const { clientId } = explorer
  const { issuer, audience } = jwt
  if (clientId === undefined || issuer === undefined) return undefined
  return { issuer, clientId, resource: URL.canParse(audience ?? '') ? audience : undefined }
}
