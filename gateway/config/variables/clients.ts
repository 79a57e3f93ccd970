/** What clients may request, and from which pages: introspection, persisted operations, browsers, uploads. */
import { z } from 'zod'
import { errorBehaviors } from '../../../shared/graphql/error-behavior.ts'
import { flag, headerName, headerText, httpUrl, list, places } from '../fields.ts'

export const clientsVariables = {
  TESSERA_INTROSPECTION: flag.default(true).describe('Whether the schema can be introspected.'),
  TESSERA_PERSISTED: z
    .enum(['off', 'automatic', 'trusted'], { error: 'expected off, automatic or trusted' })
    .default('automatic')
    .describe('Persisted operations: off, automatic, or only those of the manifest (trusted).'),
  TESSERA_PERSISTED_MANIFEST: places
    .optional()
    .describe(
      'Trusted operations: a file, or addresses as in `TESSERA_SUPERGRAPH`: [supergraph sources](supergraph-sources.md#trusted-operations).',
    ),
  TESSERA_PERSISTED_MANIFEST_KEY: headerText
    .optional()
    .describe('The key for their http and https addresses.'),
  TESSERA_PERSISTED_MANIFEST_KEY_HEADER: headerName
    .default('X-Hive-CDN-Key')
    .describe('The header in which that key is sent.'),
  TESSERA_PERSISTED_MANIFEST_COPY: z
    .string()
    .min(1)
    .optional()
    .describe('File in which the last good trusted operations are kept, as `TESSERA_SUPERGRAPH_COPY` does.'),
  TESSERA_REFUSED_STATUS: z
    .enum(['auto', '200'], { error: 'expected auto or 200' })
    .default('auto')
    .describe(
      'The status of an operation of which authorization leaves nothing: 401 or 403 (auto), or 200 with `data: null` and the errors, for clients that show no body of a 401 or 403. A refused token is 401 either way.',
    ),
  TESSERA_HTTP_PROFILE: z
    .enum(['2025', '2026'], { error: 'expected 2025 or 2026' })
    .optional()
    .describe(
      'The edition of GraphQL over HTTP by which statuses are chosen: the text that the public audit checks (2025), or the edition of September 2026; that of `http.profile` in the file, or else 2025.',
    ),
  TESSERA_ON_ERROR: z
    .enum(errorBehaviors, { error: 'expected NULL, PROPAGATE or HALT' })
    .default('PROPAGATE')
    .describe(
      'What becomes of an answer if a field fails and the request has no `onError`: a null that must not stand takes its parent along (PROPAGATE), stands where the error is (NULL), or the first error ends the operation (HALT): [errors](errors.md#onerror).',
    ),
  TESSERA_CORS_ORIGINS: list
    .default(['*'])
    .describe('Origins that browsers may call from; `*` is every origin.'),
  TESSERA_CSRF: flag.default(true).describe('Whether simple cross-site requests are refused.'),
  TESSERA_COMPRESSION: z
    .enum(['auto', 'on', 'off'], { error: 'expected auto, on or off' })
    .default('auto')
    .describe(
      'Whether responses over 1 kB are compressed (zstd, br, gzip) for clients that accept it: auto leaves out clients on the same machine.',
    ),
  TESSERA_EXPLORER: z
    .enum(['auto', 'sandbox', 'built-in', 'off'], { error: 'expected auto, sandbox, built-in or off' })
    .default('auto')
    .describe(
      'The page at `/`: the explorer with a link that opens Apollo Sandbox (auto) or without it (built-in), Apollo Sandbox at once (sandbox), or no page (off).',
    ),
  TESSERA_EXPLORER_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The client id with which the page at `/` signs in at TESSERA_JWT_ISSUER (code flow with PKCE, no secret, back to `/`); without it tokens are pasted.',
    ),
  TESSERA_MCP: flag
    .optional()
    .describe(
      'Whether agents are served at `/mcp`, by the Model Context Protocol; on where every service is the sandbox, else off.',
    ),
  TESSERA_PUBLIC_URL: httpUrl.optional().describe('The address under which clients reach this gateway.'),
  TESSERA_UPLOAD_SECRET: z
    .string()
    .min(32, 'expected at least 32 characters')
    .optional()
    .describe('Seals upload addresses; the same on all replicas. A random one without it.'),
} as const
