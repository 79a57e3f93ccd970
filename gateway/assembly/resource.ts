/** What the configuration says of this graph as an OAuth resource. */
import { dpopAlgorithms } from '../access/authenticate/index.ts'
import type { ResourceFacts } from '../access/resource-metadata.ts'
import type { Config } from '../config/index.ts'

/** Everything but the scopes, which the supergraph knows. */
export function resourceOf({ issuers, values }: Config): Omit<ResourceFacts, 'scopes'> {
  return {
    issuers: issuers.flatMap(({ issuer }) =>
      issuer === undefined || !/^https?:$/.test(URL.parse(issuer)?.protocol ?? '') ? [] : [issuer],
    ),
    dpop: values.TESSERA_DPOP === 'off' ? undefined : dpopAlgorithms,
    dpopRequired: values.TESSERA_DPOP === 'require',
    certificates: values.TESSERA_CLIENT_CERTIFICATE_HEADER !== undefined,
  }
}
