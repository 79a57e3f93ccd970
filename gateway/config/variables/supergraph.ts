/** Somebody else's supergraph: where it is, and how its changes reach a running gateway. */
import { z } from 'zod'
import { integer } from '../fields.ts'

export const supergraphVariables = {
  TESSERA_SUPERGRAPH: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Serves this supergraph over HTTP subgraphs in place of our own graph: a file, or an http or https address such as that of a registry’s CDN.',
    ),
  TESSERA_SUPERGRAPH_KEY: z
    .string()
    .min(1)
    .regex(/^[\x21-\x7e]+$/, 'expected the text of a header')
    .optional()
    .describe('The key for that address.'),
  TESSERA_SUPERGRAPH_KEY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, 'expected the name of a header')
    .default('X-Hive-CDN-Key')
    .describe('The header in which the key is sent.'),
  TESSERA_SUPERGRAPH_POLL_MS: integer(0, 86_400_000)
    .default(10_000)
    .describe('How often the address is asked, by its ETag, whether the supergraph has changed; 0 is never.'),
  TESSERA_WATCH_MS: integer(0, 86_400_000)
    .default(1_000)
    .describe(
      'How often the files of configuration, supergraph and trusted operations are looked at for changes; 0 is never.',
    ),
  TESSERA_WARM_OPERATIONS: integer(0, 100_000)
    .default(100)
    .describe(
      'The most operations that a new generation prepares before it takes over: those asked for most, and at start those of the manifest.',
    ),
} as const
