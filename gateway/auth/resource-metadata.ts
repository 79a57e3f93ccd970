/**
 * What a client must know about this graph as an OAuth resource before it has a token: RFC 9728's document, with the
 * scopes in the graph's rules and the fields that each of them opens.
 */
import type { ScopeOffer } from './scope-offers.ts'

export interface ResourceFacts {
  /** The authorization servers whose tokens are accepted, by their issuer identifiers. */
  readonly issuers: readonly string[]
  readonly scopes: readonly ScopeOffer[]
  /** The signature algorithms of DPoP proofs; undefined if none are accepted. */
  readonly dpop: readonly string[] | undefined
  /** Whether every token must be bound to a key by DPoP. */
  readonly dpopRequired: boolean
  /** Whether tokens that are bound to a client certificate are accepted. */
  readonly certificates: boolean
}

/** `resource`: the address of the described resource. */
export function resourceMetadata(resource: string, facts: ResourceFacts): Readonly<Record<string, unknown>> {
  const { issuers, scopes, dpop, dpopRequired, certificates } = facts
  return {
    resource,
    resource_name: 'Tessera',
    ...(issuers.length === 0 ? {} : { authorization_servers: issuers }),
    bearer_methods_supported: ['header'],
    scopes_supported: scopes.map(({ name }) => name),
    scope_descriptions: Object.fromEntries(
      scopes.map(({ name, opens }) => [name, `Opens ${opens.join(', ')}.`]),
    ),
    ...(dpop === undefined
      ? {}
      : { dpop_signing_alg_values_supported: dpop, dpop_bound_access_tokens_required: dpopRequired }),
    ...(certificates ? { tls_client_certificate_bound_access_tokens: true } : {}),
  }
}
