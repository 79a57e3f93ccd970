/** This graph as an OAuth resource, as configured. */

import type { ExplorerSignIn } from '../../explorer/settings.ts'
import type { Config } from '../config/index.ts'
import { dpopAlgorithms } from './authenticate/index.ts'
import type { ResourceFacts } from './resource-metadata.ts'

/** Everything but the scopes, which the supergraph knows. */
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
