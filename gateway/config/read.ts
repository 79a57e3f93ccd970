/** Reads the environment and the file, checks every variable, and then the rules over several of them. */
import { z } from 'zod'
import { forEachService, type ServiceName, serviceNamed, subgraphNames } from '../../subgraphs/index.ts'
import type { ConfigResult, JwtConfig, ServiceConfig, Values } from './config.ts'
import { noFile, readConfigFile } from './file.ts'
import { issuersFrom } from './issuers.ts'
import { metricsFrom } from './metrics.ts'
import type { Sections } from './sections/index.ts'
import { isServiceLink, suggestionFor } from './suggestion.ts'
import { tracesFrom } from './traces.ts'
import { variables } from './variables/index.ts'
import { settingVariable, variableOf } from './variables/services.ts'

type Env = Readonly<Record<string, string | undefined>>

const schema = z.object(variables)

/**
 * HOST and PORT belong to many programs, and so does everything without our prefix: those are not checked. Neither is
 * `TESSERA_TEST_…`, which configures the tests, because they start our commands in their own environment. `TESSERA_URL`
 * is the address of a graph for client programs, and their users run our commands in the same shell.
 */
const isOurs = (name: string): boolean =>
  name.startsWith('TESSERA_') && !name.startsWith('TESSERA_TEST_') && !notOurs.has(name)
const notOurs: ReadonlySet<string> = new Set(['TESSERA_CONFIG', 'TESSERA_URL'])

/** An empty variable counts as absent. */
const givenIn = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))

/** Reads and checks the whole configuration. */
export function readConfig(env: Env): ConfigResult {
  const faults: string[] = []
  const environment = givenIn(env)
  const path = environment.TESSERA_CONFIG
  const file = path === undefined ? noFile : readConfigFile(path, faults, environment)
  const unknown = Object.keys(environment).filter((name) => isOurs(name) && !Object.hasOwn(variables, name))
  const links = unknown.filter((name) => isServiceLink(name, environment[name]))
  for (const name of unknown)
    if (!links.includes(name)) faults.push(`${name}: no such variable${suggestionFor(name)}`)
  if (links.length > 0) faults.push(serviceLinkFault(links))
  const parsed = schema.safeParse({ ...givenIn(file.values), ...environment })
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) {
      const name = path.join('.')
      faults.push(`${name}: ${message}${environment[name] === undefined ? file.positionOf(name) : ''}`)
    }
    return { faults: [...new Set(faults)] }
  }
  const values: Values = Object.freeze(parsed.data)
  const jwt = jwtFrom(values, faults)
  const issuers = issuersFrom(values, jwt, file.sections.issuers, faults)
  if (
    values.TESSERA_CLIENT_CERTIFICATE_HEADER !== undefined &&
    values.TESSERA_CLIENT_CERTIFICATE_PROXIES.length === 0
  )
    faults.push(
      'TESSERA_CLIENT_CERTIFICATE_PROXIES: required beside TESSERA_CLIENT_CERTIFICATE_HEADER: anybody could send the header',
    )
  if (
    values.TESSERA_EXPLORER_CLIENT_ID !== undefined &&
    !/^https?:$/.test(URL.parse(values.TESSERA_JWT_ISSUER ?? '')?.protocol ?? '')
  )
    faults.push(
      'TESSERA_JWT_ISSUER: must be an address where TESSERA_EXPLORER_CLIENT_ID is set: the page signs in there',
    )
  const remoteSubgraphs = remoteSubgraphsIn(values, faults)
  checkAssertions(values, faults)
  if ((values.TESSERA_TLS_CERT === undefined) !== (values.TESSERA_TLS_KEY === undefined))
    faults.push('TESSERA_TLS_CERT, TESSERA_TLS_KEY: give both or neither')
  if (values.TESSERA_TLS_CLIENT_CA !== undefined && values.TESSERA_TLS_CERT === undefined)
    faults.push('TESSERA_TLS_CERT: required beside TESSERA_TLS_CLIENT_CA: clients show certificates in TLS')
  if (values.TESSERA_PERSISTED === 'trusted' && values.TESSERA_PERSISTED_MANIFEST === undefined) {
    faults.push('TESSERA_PERSISTED_MANIFEST: required when only trusted operations are executed')
  }
  if (
    (values.AWS_ACCESS_KEY_ID === undefined) !== (values.AWS_SECRET_ACCESS_KEY === undefined) &&
    usesS3(values)
  )
    faults.push('AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: give both or neither')
  cachingFaults(values, faults)
  if (faults.length > 0) return { faults }
  const services = servicesIn(values, file.sections)
  return {
    config: Object.freeze({
      host: values.HOST,
      port: values.PORT,
      services,
      remoteSubgraphs,
      jwt,
      issuers,
      traces: tracesFrom(values),
      metrics: metricsFrom(values),
      values,
      sections: Object.freeze(file.sections),
    }),
  }
}

/** One fault for all of them: Kubernetes sets seven for each Service. */
function serviceLinkFault(names: readonly string[]): string {
  const [first = '', ...others] = names
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `${first}${more}: no variables of ours; Kubernetes sets them for a Service of that name: set \`enableServiceLinks: false\` in the pod's spec`
}

/** Variables that every AWS tool reads are wrong only if we read them. */
function usesS3({ TESSERA_SUPERGRAPH, TESSERA_PERSISTED_MANIFEST }: Values): boolean {
  return [TESSERA_SUPERGRAPH, TESSERA_PERSISTED_MANIFEST].some((text) => text?.includes('s3://'))
}

function cachingFaults(values: Values, faults: string[]): void {
  const bytes = values.TESSERA_RESPONSE_CACHE_BYTES
  const redis = values.TESSERA_RESPONSE_CACHE_REDIS_URL
  if (redis !== undefined && bytes === 0)
    faults.push('TESSERA_RESPONSE_CACHE_BYTES: required beside TESSERA_RESPONSE_CACHE_REDIS_URL')
  if (bytes > 0 && redis === undefined && values.TESSERA_WORKERS !== 1)
    faults.push(
      'TESSERA_RESPONSE_CACHE_REDIS_URL: required where several workers keep answers: what one of them changes, the others must know',
    )
  if (values.TESSERA_ADMIN_PORT !== undefined && values.TESSERA_ADMIN_TOKEN === undefined)
    faults.push('TESSERA_ADMIN_TOKEN: required beside TESSERA_ADMIN_PORT')
}

function servicesIn(values: Values, { live = {} }: Sections): Readonly<Record<ServiceName, ServiceConfig>> {
  const texts: Readonly<Record<string, unknown>> = values
  return forEachService((name) => ({
    url: values[variableOf(name, 'URL')],
    credential: values[variableOf(name, 'CREDENTIAL')],
    liveEverySeconds: values[variableOf(name, 'LIVE_EVERY_SECONDS')] ?? live[name]?.everySeconds,
    settings: Object.fromEntries(
      Object.keys(serviceNamed(name).settings).map((setting) => [
        setting,
        String(texts[settingVariable(name, setting)]),
      ]),
    ),
  }))
}

function remoteSubgraphsIn(values: Values, faults: string[]): Readonly<Record<string, string>> {
  const remote: Record<string, string> = {}
  for (const name of subgraphNames) {
    const url = values[variableOf(name, 'SUBGRAPH_URL')]
    if (url !== undefined) remote[name] = url
  }
  if (Object.keys(remote).length > 0 && values.TESSERA_SUBGRAPH_SECRET === undefined) {
    faults.push('TESSERA_SUBGRAPH_SECRET: required as soon as one subgraph is remote')
  }
  return remote
}

const assertionKeys = [
  'TESSERA_SUBGRAPH_ASSERTION_KEY',
  'TESSERA_SUBGRAPH_ASSERTION_PUBLIC_KEY',
  'TESSERA_SUBGRAPH_ASSERTION_JWKS_URL',
] as const

function checkAssertions(values: Values, faults: string[]): void {
  const given = assertionKeys.filter((name) => values[name] !== undefined)
  if (values.TESSERA_SUBGRAPH_CALLER === 'assertion') {
    if (given.length === 0 && values.TESSERA_SUBGRAPH_SECRET === undefined)
      faults.push(
        'TESSERA_SUBGRAPH_SECRET: required where TESSERA_SUBGRAPH_CALLER is assertion and no TESSERA_SUBGRAPH_ASSERTION_… names a key: it makes one',
      )
  } else if (given.length > 0)
    faults.push(`TESSERA_SUBGRAPH_CALLER: must be assertion where ${given.join(', ')} is given`)
  if (given.includes(assertionKeys[1]) && given.includes(assertionKeys[2]))
    faults.push(`${assertionKeys[1]}, ${assertionKeys[2]}: give one of them, not both`)
}

function jwtFrom(values: Values, faults: string[]): JwtConfig | undefined {
  const keys: JwtConfig['key'][] = []
  if (values.TESSERA_JWT_JWKS_URL !== undefined) keys.push({ kind: 'jwks', url: values.TESSERA_JWT_JWKS_URL })
  if (values.TESSERA_JWT_PUBLIC_KEY !== undefined)
    keys.push({ kind: 'pem', pem: values.TESSERA_JWT_PUBLIC_KEY })
  if (values.TESSERA_JWT_SECRET !== undefined)
    keys.push({ kind: 'secret', secret: values.TESSERA_JWT_SECRET })
  if (keys.length > 1) {
    faults.push(
      'TESSERA_JWT_JWKS_URL, TESSERA_JWT_PUBLIC_KEY, TESSERA_JWT_SECRET: give one of them, not several',
    )
  }
  const [key] = keys
  if (key === undefined) return undefined
  return {
    key,
    issuer: values.TESSERA_JWT_ISSUER,
    audience: values.TESSERA_JWT_AUDIENCE,
    algorithms: values.TESSERA_JWT_ALGORITHMS,
  }
}
