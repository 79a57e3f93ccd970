/**
 * Hive Router (the binary in AUDIT_HIVE_ROUTER) with its own authorization, configured as in its documentation.
 * Refused fields become null, unless AUDIT_HIVE_REJECT=true.
 */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const {
  AUDIT_SUPERGRAPH,
  AUDIT_PORT,
  AUDIT_JWT_SECRET,
  AUDIT_JWT_ISSUER,
  AUDIT_JWT_AUDIENCE,
  AUDIT_HIVE_ROUTER,
  AUDIT_HIVE_REJECT,
} = process.env
if (!AUDIT_HIVE_ROUTER) throw new Error('AUDIT_HIVE_ROUTER names no file')

/** The audit's folder for this start, which the audit removes. */
const folder = dirname(AUDIT_SUPERGRAPH)
const write = (name, value) => {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(value))
  return file
}

const keys = write('jwks.json', {
  keys: [{ kty: 'oct', use: 'sig', alg: 'HS256', k: Buffer.from(AUDIT_JWT_SECRET).toString('base64url') }],
})
const config = write('router.config.yaml', {
  supergraph: { source: 'file', path: AUDIT_SUPERGRAPH },
  http: { host: '127.0.0.1', port: Number(AUDIT_PORT) },
  log: { level: 'error' },
  jwt: {
    enabled: true,
    require_authentication: false,
    jwks_providers: [{ source: 'file', path: keys }],
    issuers: [AUDIT_JWT_ISSUER],
    audiences: [AUDIT_JWT_AUDIENCE],
  },
  authorization: {
    directives: { unauthorized: { mode: AUDIT_HIVE_REJECT === 'true' ? 'reject' : 'filter' } },
  },
  subscriptions: { enabled: true },
})
const router = spawn(AUDIT_HIVE_ROUTER, [], {
  stdio: 'inherit',
  env: { ...process.env, ROUTER_CONFIG_FILE_PATH: config },
})
router.once('error', (error) => {
  throw error
})
router.once('exit', (code) => process.exit(code ?? 1))
