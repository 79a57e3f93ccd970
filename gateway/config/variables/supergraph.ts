/** Another supergraph: its sources, and how its changes reach a running gateway. */
import { z } from 'zod'
import { headerName, headerText, httpUrl, integer, places } from '../fields.ts'

/** Common to every AWS tool. */
const standard = z.string().min(1).optional()

export const supergraphVariables = {
  TESSERA_SUPERGRAPH: places
    .optional()
    .describe(
      'Serves this supergraph over HTTP subgraphs instead of our own graph: a file, or addresses (`https://`, `oci://`, `s3://`), with spaces or commas between several, which are asked in turn until one gives a supergraph: [supergraph sources](supergraph-sources.md).',
    ),
  TESSERA_SUPERGRAPH_KEY: headerText.optional().describe('The key for its http and https addresses.'),
  TESSERA_SUPERGRAPH_KEY_HEADER: headerName
    .default('X-Hive-CDN-Key')
    .describe('The header in which the key is sent.'),
  TESSERA_SUPERGRAPH_COPY: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File in which the last good supergraph is kept, for a start at which no source gives one. None is kept without it.',
    ),
  TESSERA_SUPERGRAPH_POLL_MS: integer(0, 86_400_000)
    .default(10_000)
    .describe(
      'How often addresses of supergraph and trusted operations are asked whether something has changed; 0 is never.',
    ),
  TESSERA_OCI_CONFIG: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File with the credentials of registries (`auths`), as `docker login` and the image pull secrets of Kubernetes have it.',
    ),
  AWS_ACCESS_KEY_ID: standard.describe(
    'With which requests to `s3://` addresses are signed, beside `AWS_SECRET_ACCESS_KEY`; unsigned without both.',
  ),
  AWS_SECRET_ACCESS_KEY: standard.describe('The secret of that key.'),
  AWS_SESSION_TOKEN: standard.describe('The token beside temporary keys.'),
  AWS_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,60}$/, 'expected a region such as eu-central-1')
    .default('us-east-1')
    .describe('The region of `s3://` addresses.'),
  AWS_ENDPOINT_URL_S3: httpUrl
    .optional()
    .describe(
      'A store that speaks the protocol of S3, instead of Amazon’s; the bucket stands in the path then.',
    ),
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
