/** Subgraphs in other processes, and how gateway and subgraph services authenticate to each other. */
import { z } from 'zod'
import { exactUrl, flag, list } from '../fields.ts'
import { subgraphAddresses } from './services.ts'

export const subgraphsVariables = {
  ...subgraphAddresses,
  TESSERA_SUBGRAPH_SECRET: z
    .string()
    .min(16, 'expected at least 16 characters')
    .optional()
    .describe('What gateway and subgraph services prove themselves with.'),
  TESSERA_SUBGRAPH_INTROSPECTION: flag.default(false).describe('Whether `_service` answers without proof.'),
  TESSERA_SUBGRAPH_FRAMES: flag
    .default(true)
    .describe(
      'Whether the gateway and our subgraph services speak frames on an upgraded connection, which take less CPU than HTTP. False at either side: plain GraphQL over HTTP.',
    ),
  TESSERA_SUBGRAPH_SCOPES: flag
    .default(false)
    .describe("Whether a subgraph service also checks the caller's own token against its scopes."),
  TESSERA_SUBGRAPH_CALLER: z
    .enum(['token', 'assertion'], { error: 'expected token or assertion' })
    .default('token')
    .describe(
      "What tells a subgraph who asks: the caller's own token, or an assertion by the gateway, good for one request to one subgraph. The same at gateway and services.",
    ),
  TESSERA_SUBGRAPH_ASSERTION_KEY: z
    .string()
    .refine((text) => text.includes('PRIVATE KEY-----'), 'expected a private key in PEM form')
    .optional()
    .describe(
      'At the gateway: the private key that signs assertions (P-256 or Ed25519, PEM), instead of one made from TESSERA_SUBGRAPH_SECRET; its public part is at `/.well-known/jwks.json`.',
    ),
  TESSERA_SUBGRAPH_ASSERTION_PUBLIC_KEY: z
    .string()
    .refine((text) => text.includes('-----BEGIN'), 'expected a public key in PEM form')
    .optional()
    .describe(
      'At a service: the public key that assertions are checked with, PEM; no others are then taken.',
    ),
  TESSERA_SUBGRAPH_ASSERTION_JWKS_URL: exactUrl
    .optional()
    .describe('At a service: the address of that key, instead of the key itself.'),
  TESSERA_SUBGRAPH_TOKENS: list
    .default([])
    .describe(
      "Remote subgraphs that get the caller's own token, by name; `*` is all. Our own services get it where TESSERA_SUBGRAPH_SCOPES is set at the gateway, too.",
    ),
  TESSERA_SUBGRAPH_ERRORS: list
    .default([])
    .describe(
      "Remote subgraphs whose errors clients see as they are, by name; `*` is all. Others' messages are only logged; our own services' always pass.",
    ),
} as const
