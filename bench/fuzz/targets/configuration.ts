/** Input of operators: environment variables, the configuration file, credentials, manifests, supergraphs. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPlanner } from '../../../engine/planner/index.ts'
import { compose } from '../../../engine/supergraph/compose/index.ts'
import { loadSupergraph, SupergraphError } from '../../../engine/supergraph/index.ts'
import { readConfig } from '../../../gateway/config/index.ts'
import { readManifest } from '../../../gateway/pipeline/persisted/index.ts'
import { readSchemaFacts } from '../../../gateway/response-cache/schema-facts.ts'
import { hashOf } from '../../../shared/graphql/persisted-operation.ts'
import { readGoogleFile } from '../../../subgraphs/kit/credentials/google.ts'
import { readOauthFile } from '../../../subgraphs/kit/credentials/oauth-file.ts'
import { linesOf } from '../pieces.ts'
import { Broken, targetsOf } from '../target.ts'

let folder: string | undefined

/** A file with this content; always the same path. */
function fileWith(content: Buffer): string {
  folder ??= mkdtempSync(join(tmpdir(), 'tessera-fuzz-'))
  const path = join(folder, 'file')
  writeFileSync(path, content)
  return path
}
async function close(): Promise<void> {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  folder = undefined
}

/** Reads a configuration, or its faults in words. */
function check(env: Readonly<Record<string, string>>): void {
  const { config, faults } = readConfig(env)
  if (config === undefined && faults.length === 0) throw new Broken('neither a configuration nor a fault')
}

const schemaFile = (name: string): string =>
  readFileSync(new URL(`../../../schema/${name}`, import.meta.url), 'utf8')
const document = '{ video(videoId: "1") { videoId } }'

export const targets = targetsOf(import.meta.url, [
  {
    name: 'environment',
    smoke: 32,
    covers: ['gateway/config', 'subgraphs/kit/credentials/index.ts'],
    seeds: [
      'PORT=4000\nTESSERA_VIDEOS_URL=http://127.0.0.1:1/a/\nTESSERA_VIDEOS_CREDENTIAL=basic:a:b\nTESSERA_METRICS_INTERVAL=15s',
      'TESSERA_JWT_SECRET=a secret of at least thirty-two characters\nTESSERA_JWT_ISSUER=https://a\nTESSERA_SCOPE_ALIASES={"a":["b"]}\nTESSERA_JWT_ALGORITHMS=HS256',
      'OTEL_EXPORTER_OTLP_HEADERS=a=b%20c,d=e\nOTEL_RESOURCE_ATTRIBUTES=x=y\nOTEL_TRACES_SAMPLER=parentbased_traceidratio\nOTEL_TRACES_SAMPLER_ARG=0.5\nOTEL_EXPORTER_OTLP_ENDPOINT=http://a:4318\nOTEL_METRIC_EXPORT_INTERVAL=1000',
      'TESSERA_REDIS_URL=redis://127.0.0.1\nTESSERA_CLIENT_CERTIFICATE_HEADER=client-cert\nTESSERA_CLIENT_CERTIFICATE_PROXIES=10.0.0.0/8,::1\nTESSERA_WORKERS=auto',
    ],
    run(input) {
      const env: Record<string, string> = {}
      for (const line of linesOf(input)) {
        const equals = line.indexOf('=')
        // The file has its own target, and other files are read when the gateway starts.
        if (equals > 0 && !line.startsWith('TESSERA_CONFIG='))
          env[line.slice(0, equals)] = line.slice(equals + 1)
      }
      check(env)
    },
  },
  {
    name: 'configuration-file',
    smoke: 32,
    covers: ['gateway/config'],
    seeds: [
      'PORT: 4001\nTESSERA_CORS_ORIGINS: [https://a.example, https://b.example]\ntraffic:\n  subgraphs:\n    products: { timeoutMs: 5 }\n',
      'headers:\n  all:\n    request:\n      - propagate: { matching: "x-*" }\n      - insert: { name: x-a, claim: sub }\n    answer:\n      - propagate: { named: x-b, algorithm: append }\n',
      'issuers:\n  - issuer: https://a\n    jwksUrl: https://a/jwks\n    scopes: { a: [b] }\n    introspection: { url: https://a/i, clientId: c, clientSecret: { environment: SECRET } }\n',
      'coprocessor:\n  url: http://127.0.0.1:1\n  stages: { request: { headers: [a] } }\nrateLimits:\n  - &x { perMinute: 5 }\n  - *x\n',
    ],
    run: (input) => check({ TESSERA_CONFIG: fileWith(input), SECRET: 'secret' }),
    close,
  },
  {
    name: 'credentials-file',
    smoke: 32,
    covers: ['subgraphs/kit/credentials'],
    seeds: [
      '{"type":"authorized_user","client_id":"a","client_secret":"b","refresh_token":"c","token_uri":"https://a/t"}',
      '{"type":"service_account","client_email":"a","private_key":"-----BEGIN PRIVATE KEY-----\\n"}',
      '{"token_url":"https://a/t","client_id":"a","client_secret":"b","client_auth":"post","scope":"c"}',
      '{"token_url":"http://127.0.0.1/t","client_id":"a","client_auth":"private_key_jwt","private_key":"x"}',
    ],
    allows: (error) => error instanceof Error && error.message.startsWith('the credentials file of videos'),
    run(input) {
      const file = fileWith(input)
      try {
        readGoogleFile(file, 'videos')
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith('the credentials file of videos')))
          throw error
      }
      readOauthFile(file, 'videos')
    },
    close,
  },
  {
    name: 'manifest',
    smoke: 32,
    covers: ['gateway/pipeline/persisted/index.ts'],
    seeds: [
      JSON.stringify({ operations: [{ id: hashOf(document), body: document }] }),
      JSON.stringify({ [`sha256:${hashOf(document)}`]: document }),
    ],
    allows: (error) => error instanceof Error && /^(TESSERA_PERSISTED_MANIFEST: )?\//.test(error.message),
    run: (input) => readManifest(fileWith(input)),
    close,
  },
  {
    name: 'supergraph',
    smoke: 32,
    covers: [
      ...['engine/supergraph', 'gateway/response-cache/schema-facts.ts'],
      ...['engine/planner/graph/graph.ts', 'engine/planner/planner.ts', 'engine/planner/search/sources.ts'],
    ],
    seeds: [smallSupergraph()],
    longest: 16_384,
    allows: (error) => error instanceof SupergraphError,
    run(input) {
      const supergraph = loadSupergraph(input.toString('utf8'))
      readSchemaFacts(supergraph.document, supergraph.possibleTypes)
      createPlanner(supergraph)
    },
  },
  {
    name: 'composition',
    smoke: 32,
    covers: ['engine/supergraph/compose'],
    seeds: [
      'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])\ntype Query { a: A }\ntype A @key(fields: "id") { id: ID! @shareable b: Int }',
      schemaFile('nodes.graphql').slice(0, 4000),
    ],
    run: (input) => compose([{ name: 'one', url: 'http://127.0.0.1:1', typeDefs: input.toString('utf8') }]),
  },
])

/** A composed supergraph of two subgraphs. */
function smallSupergraph(): string {
  const link =
    'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@external", "@requires", "@provides", "@inaccessible", "@interfaceObject", "@override"])'
  const { supergraph } = compose([
    {
      name: 'one',
      url: 'http://127.0.0.1:1',
      typeDefs: `${link} type Query { a(id: ID = "1"): A all: [N!] } interface N @key(fields: "id") { id: ID! } type A implements N @key(fields: "id") { id: ID! size: Int } enum E { X Y @inaccessible } union U = A`,
    },
    {
      name: 'two',
      url: 'http://127.0.0.1:2',
      typeDefs: `${link} type Query { e: String } type A @key(fields: "id") { id: ID! size: Int @external cost: Int @requires(fields: "size") } type N @interfaceObject @key(fields: "id") { id: ID! note: String }`,
    },
  ])
  if (supergraph === undefined) throw new Error('the subgraphs of a seed do not compose')
  return supergraph
}
