/**
 * Cosmo Router (the binary in AUDIT_COSMO_ROUTER) over the subgraphs as its own composer composes them (`wgc`, in
 * AUDIT_COSMO_COMPOSER or this folder's packages). Refused fields become null, unless AUDIT_COSMO_REJECT=true.
 * AUDIT_COSMO_PRE_FETCH=true authorizes before anything is fetched, which is off by default.
 */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const {
  AUDIT_SUPERGRAPH,
  AUDIT_SUBGRAPHS,
  AUDIT_PORT,
  AUDIT_JWT_SECRET,
  AUDIT_JWT_KEY_ID,
  AUDIT_JWT_AUDIENCE,
  AUDIT_COSMO_ROUTER,
  AUDIT_COSMO_COMPOSER = fileURLToPath(new URL('node_modules/wgc/dist/src/index.js', import.meta.url)),
  AUDIT_COSMO_REJECT = 'false',
  AUDIT_COSMO_PRE_FETCH = 'false',
} = process.env
if (!AUDIT_COSMO_ROUTER) throw new Error('AUDIT_COSMO_ROUTER names no file')

/** The audit's folder for this start, which the audit removes. */
const folder = dirname(AUDIT_SUPERGRAPH)
const write = (name, text) => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const graph = write(
  'graph.yaml',
  JSON.stringify({
    version: 1,
    subgraphs: JSON.parse(readFileSync(AUDIT_SUBGRAPHS, 'utf8')).map(({ name, url, sdl }) => ({
      name,
      routing_url: url,
      schema: { file: write(`${name}.graphql`, sdl) },
    })),
  }),
)
const composed = join(folder, 'cosmo.json')
execFileSync(process.execPath, [AUDIT_COSMO_COMPOSER, 'router', 'compose', '-i', graph, '-o', composed], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
const config = write(
  'cosmo.yaml',
  JSON.stringify({
    version: '1',
    authentication: {
      jwt: {
        jwks: [
          {
            secret: AUDIT_JWT_SECRET,
            symmetric_algorithm: 'HS256',
            header_key_id: AUDIT_JWT_KEY_ID,
            audiences: [AUDIT_JWT_AUDIENCE],
          },
        ],
      },
    },
    authorization: {
      require_authentication: false,
      reject_operation_if_unauthorized: AUDIT_COSMO_REJECT === 'true',
      enable_pre_fetch_field_authorization: AUDIT_COSMO_PRE_FETCH === 'true',
    },
  }),
)
const router = spawn(AUDIT_COSMO_ROUTER, [], {
  stdio: 'inherit',
  env: {
    ...process.env,
    LISTEN_ADDR: `127.0.0.1:${AUDIT_PORT}`,
    LOG_LEVEL: 'error',
    CONFIG_PATH: config,
    ROUTER_CONFIG_PATH: composed,
    TRACING_ENABLED: 'false',
    METRICS_ENABLED: 'false',
    METRICS_OTLP_ENABLED: 'false',
    GRAPHQL_METRICS_ENABLED: 'false',
    PROMETHEUS_ENABLED: 'false',
  },
})
router.once('error', (error) => {
  throw error
})
router.once('exit', (code) => process.exit(code ?? 1))
