/** Every section, declared by the module that reads it. A new setting is one entry there. */
import type { z } from 'zod'
import * as auth from '../auth/config.ts'
import * as costs from '../costs/config.ts'
import { http } from '../graphql-http/config.ts'
import { headers } from '../headers/config.ts'
import { coprocessor, hooks } from '../hooks/config.ts'
import { mcp } from '../mcp/config.ts'
import { attributes, graphql, idempotency, kept, log } from '../pipeline/config.ts'
import { reload } from '../reload/config.ts'
import { cache } from '../response-cache/config.ts'
import { admin, connections, explorer, server, shutdown } from '../server/config.ts'
import { aws, persisted, supergraph } from '../sources/config.ts'
import { redis } from '../stores/config.ts'
import { subscriptions } from '../subscriptions/config.ts'
import { otel, telemetry } from '../telemetry/config.ts'
import { calls, live, services, subgraph } from './services.ts'
import { errors, traffic } from './traffic.ts'

export const sections = {
  server,
  services,
  jwt: auth.jwt,
  tokenIntrospection: auth.tokenIntrospection,
  issuers: auth.issuers,
  token: auth.token,
  dpop: auth.dpop,
  clientCertificate: auth.clientCertificate,
  authorization: auth.authorization,
  quota: costs.quota,
  limits: costs.limits,
  demand: costs.demand,
  rateLimits: costs.rateLimits,
  calls,
  cache,
  redis,
  persisted,
  kept,
  idempotency,
  graphql,
  http,
  subscriptions,
  live,
  explorer,
  mcp,
  hooks,
  coprocessor,
  supergraph,
  aws,
  subgraph,
  traffic,
  headers,
  errors,
  reload,
  connections,
  shutdown,
  admin,
  log,
  telemetry,
  attributes,
  otel,
} as const

export type Settings = Readonly<z.output<z.ZodObject<typeof sections, z.core.$strict>>>
