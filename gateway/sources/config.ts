/** The sources of another supergraph and of trusted operations. */
import { z } from 'zod'
import { messageOf } from '../../shared/runtime/thrown.ts'
import { lazily, section } from '../settings/index.ts'
import {
  file,
  headerName,
  headerText,
  httpUrl,
  matching,
  milliseconds,
  oneOf,
  text,
} from '../settings/kinds.ts'
import { parsePlaces } from './place.ts'

/** A file, or addresses in the order in which they are asked. */
const places = z
  .union([
    text('a file or addresses'),
    z
      .array(text('an address'))
      .min(1)
      .transform((all) => all.join(',')),
  ])
  .meta({ expected: 'a file, or addresses' })
  .superRefine((given, context) => {
    try {
      parsePlaces(given)
    } catch (error) {
      context.addIssue({ code: 'custom', message: messageOf(error) })
    }
  })

const key = headerText.meta({ secret: true }).optional()
const keyHeader = headerName.default('X-Hive-CDN-Key')

export const supergraph = lazily(() =>
  section(
    {
      places: places
        .optional()
        .describe(
          'Serves this supergraph over HTTP subgraphs instead of our own graph: a file, or addresses (`https://`, `oci://`, `s3://`), with spaces or commas between several, which are asked in turn until one gives a supergraph: [supergraph sources](supergraph-sources.md).',
        )
        .meta({ env: 'TESSERA_SUPERGRAPH' }),
      key: key.describe('The key for its http and https addresses.'),
      keyHeader: keyHeader.describe('The header in which the key is sent.'),
      copy: file('a file')
        .optional()
        .describe(
          'File in which the last good supergraph is kept, for a start while no source is available. None is kept by default.',
        ),
      pollMs: milliseconds(0, 86_400_000)
        .default(10_000)
        .describe(
          'How often the addresses of supergraph and trusted operations are polled for changes; 0 is never.',
        ),
      ociConfig: file('a file of credentials')
        .optional()
        .describe(
          'File with the credentials of registries (`auths`), as `docker login` and the image pull secrets of Kubernetes have it.',
        )
        .meta({ env: 'TESSERA_OCI_CONFIG' }),
    },
    'A supergraph of your own, instead of that of the four services.',
  ),
)

export const persisted = lazily(() =>
  section(
    {
      mode: oneOf('off', 'automatic', 'trusted')
        .default('automatic')
        .describe('Persisted operations: off, automatic, or only those of the manifest (trusted).')
        .meta({ env: 'TESSERA_PERSISTED' }),
      manifest: places
        .optional()
        .describe(
          'Trusted operations: a file, or addresses as in `supergraph.places`: [supergraph sources](supergraph-sources.md#trusted-operations).',
        )
        .meta({ reload: true }),
      manifestKey: key.describe('The key for their http and https addresses.'),
      manifestKeyHeader: keyHeader.describe('The header in which that key is sent.'),
      manifestCopy: file('a file')
        .optional()
        .describe('File in which the last good trusted operations are kept, as `supergraph.copy` does.'),
    },
    'Persisted operations.',
  ),
)

/** Common to every AWS tool. */
const standard = text('a text').optional()

export const aws = lazily(() =>
  section(
    {
      accessKeyId: standard.describe(
        'The id of the key that signs requests to `s3://` addresses. They are unsigned without id and secret.',
      ),
      secretAccessKey: standard.describe('The secret of that key.').meta({ secret: true }),
      sessionToken: standard.describe('The session token of temporary keys.').meta({ secret: true }),
      region: matching(/^[a-z0-9-]{1,60}$/, 'a region such as eu-central-1')
        .default('us-east-1')
        .describe('The region of `s3://` addresses.'),
      endpointUrlS3: httpUrl
        .optional()
        .describe(
          'A store that speaks the protocol of S3, instead of Amazon’s; the bucket is then part of the path.',
        )
        .meta({ env: 'AWS_ENDPOINT_URL_S3' }),
    },
    'The standard variables of AWS tools, for `s3://` addresses.',
  ).meta({ prefix: 'AWS_' }),
)
