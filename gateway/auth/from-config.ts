/** What the configuration says of this graph as an OAuth resource. */

import type { ExplorerSignIn } from '../../explorer/index.ts'
import type { Config } from '../config/index.ts'
import { dpopAlgorithms } from './authenticate/index.ts'
import type { ResourceFacts } from './resource-metadata.ts'

/** Everything but the scopes, which the supergraph knows. */
export function resourceOf({ issuers, values }: Config): Omit<ResourceFacts, 'scopes'> {
  return {
    issuers: issuers.flatMap(({ issuer }) =>
      issuer === undefined || !/^https?:$/.test(URL.parse(issuer)?.protocol ?? '') ? [] : [issuer],
    ),
    dpop: values.TESSERA_DPOP === 'off' ? undefined : dpopAlgorithms,
    dpopRequired: values.TESSERA_DPOP === 'require',
    certificates:
      values.TESSERA_CLIENT_CERTIFICATE_HEADER !== undefined || values.TESSERA_TLS_CLIENT_CA !== undefined,
  }
}

/** Where the explorer page signs its user in; undefined if it does not. */
export function explorerSignInOf({ values }: Config): ExplorerSignIn | undefined {
  const { TESSERA_EXPLORER_CLIENT_ID: clientId, TESSERA_JWT_ISSUER: issuer } = values
  if (clientId === undefined || issuer === undefined) return undefined
  const { TESSERA_JWT_AUDIENCE: audience } = values
  return { issuer, clientId, resource: URL.canParse(audience ?? '') ? audience : undefined }
}
