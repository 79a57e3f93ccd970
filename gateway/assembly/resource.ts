/** What the configuration says of this graph as an OAuth resource. */
import type { ResourceFacts } from '../access/resource-metadata.ts'
import type { Config } from '../config/index.ts'

/** Everything but the scopes, which the supergraph knows. */
export function resourceOf({ jwt }: Config): Omit<ResourceFacts, 'scopes'> {
  const issuers = jwt?.issuer === undefined || !URL.canParse(jwt.issuer) ? [] : [jwt.issuer]
  return { issuers, dpop: undefined, dpopRequired: false, certificates: false }
}
