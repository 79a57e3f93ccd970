/** The addresses at which the gateway listens. */
import { z } from 'zod'
import { integer, workers } from '../fields.ts'

export const listeningVariables = {
  HOST: z.string().min(1).default('127.0.0.1').describe('Address on which the gateway listens.'),
  PORT: integer(0, 65_535).default(4000).describe('Port on which the gateway listens; 0 takes a free one.'),
  TESSERA_TLS_CERT: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File with the certificate chain (PEM) with which the gateway, or a subgraph service, speaks HTTPS instead of HTTP.',
    ),
  TESSERA_TLS_KEY: z.string().min(1).optional().describe('File with the private key to it (PEM).'),
  TESSERA_TLS_CLIENT_CA: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File with the authorities (PEM) of certificates that clients may show, for tokens that are bound to one (RFC 8705).',
    ),
  TESSERA_WORKERS: workers
    .default(1)
    .describe('Processes that serve the port together; `auto` is one for each core that there is to use.'),
} as const
