/** Assembling a gateway from its configuration: the one part that knows both the services and all modules. */
export { type Assembly, assemble } from './assemble.ts'
export { assertionSigningKeyOf, serviceAuthenticatorFrom } from './authenticator.ts'
export { connectionLimitsOf, tlsFrom } from './connection-limits.ts'
export { createLasting, type Lasting } from './lasting.ts'
export { type LocalSubgraphOptions, localSubgraph } from './local-subgraph.ts'
export type { GatewayOptions, ReloadableOptions, Shared, SharedHealth } from './options.ts'
export { quotaFrom } from './quota.ts'
export { explorerSignInOf, resourceOf } from './resource.ts'
