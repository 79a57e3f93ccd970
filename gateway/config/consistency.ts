/** The rules over several settings. */
import type { Settings } from './sections.ts'

/** The name of a setting, by its path, as it was given. */
export type NameOf = (path: string) => string

export function checkRules(settings: Settings, name: NameOf, faults: string[]): void {
  const { server, admin, cache, clientCertificate, dpop, explorer, idempotency } = settings
  const { jwt, mcp, persisted, redis, subgraph } = settings
  const severalWorkers = server.workers !== 1
  const { cert, key, clientCa } = server.tls
  if ((cert === undefined) !== (key === undefined))
    faults.push(`${name('server.tls.cert')}, ${name('server.tls.key')}: give both or neither`)
  if (clientCa !== undefined && cert === undefined)
    faults.push(
      `${name('server.tls.cert')}: required with ${name('server.tls.clientCa')}: clients show certificates in TLS`,
    )
  if (clientCertificate.header !== undefined && clientCertificate.proxies.length === 0)
    faults.push(
      `${name('clientCertificate.proxies')}: required with ${name('clientCertificate.header')}: anybody could send the header`,
    )
  if (explorer.clientId !== undefined && !/^https?:$/.test(URL.parse(jwt.issuer ?? '')?.protocol ?? ''))
    faults.push(
      `${name('jwt.issuer')}: must be an address if ${name('explorer.clientId')} is set: the page signs in there`,
    )
  if (Object.keys(subgraph.urls).length > 0 && subgraph.secret === undefined)
    faults.push(`${name('subgraph.secret')}: required as soon as one subgraph is remote`)
  checkAssertions(settings, name, faults)
  if (persisted.mode === 'trusted' && persisted.manifest === undefined)
    faults.push(`${name('persisted.manifest')}: required when only trusted operations are executed`)
  checkS3(settings, name, faults)
  if (cache.redisUrl !== undefined && cache.bytes === 0)
    faults.push(`${name('cache.bytes')}: required with ${name('cache.redisUrl')}`)
  if (cache.bytes > 0 && cache.redisUrl === undefined && severalWorkers)
    faults.push(
      `${name('cache.redisUrl')}: required if several workers cache responses, because a change by one worker must reach the others`,
    )
  if (admin.port !== undefined && admin.token === undefined)
    faults.push(`${name('admin.token')}: required with ${name('admin.port')}`)
  // A confirmation lives ten minutes, by clocks that may differ: its change is known until it ends everywhere.
  if (mcp.enabled !== false && mcp.changes === 'confirm' && idempotency.seconds < 1200)
    faults.push(
      `${name('idempotency.seconds')}: must be at least 1200 if ${name('mcp.changes')} is confirm: a confirmation could make its change twice`,
    )
  // Several processes that know only their own proofs and nonces would accept a proof twice.
  const sharesProofs = dpop.mode !== 'off' && severalWorkers
  if (sharesProofs && redis.url === undefined)
    faults.push(
      `${name('redis.url')}: required if ${name('dpop.mode')} is not off and ${name('server.workers')} is not 1: it holds the proofs that were used`,
    )
  if (sharesProofs && dpop.nonce && dpop.nonceSecret === undefined)
    faults.push(
      `${name('dpop.nonceSecret')}: required if ${name('dpop.nonce')} is true and ${name('server.workers')} is not 1`,
    )
}

/** Variables that every AWS tool reads are wrong only if we read them. */
function checkS3({ aws, persisted, supergraph }: Settings, name: NameOf, faults: string[]): void {
  if (![supergraph.places, persisted.manifest].some((text) => text?.includes('s3://'))) return
  if ((aws.accessKeyId === undefined) !== (aws.secretAccessKey === undefined))
    faults.push(`${name('aws.accessKeyId')}, ${name('aws.secretAccessKey')}: give both or neither`)
}

const assertionKeys = ['assertionKey', 'assertionPublicKey', 'assertionJwksUrl'] as const

function checkAssertions({ subgraph }: Settings, name: NameOf, faults: string[]): void {
  const given = assertionKeys.filter((key) => subgraph[key] !== undefined)
  const [caller, publicKey, jwksUrl] = ['caller', 'assertionPublicKey', 'assertionJwksUrl'].map((key) =>
    name(`subgraph.${key}`),
  )
  if (subgraph.caller === 'assertion') {
    if (given.length === 0 && subgraph.secret === undefined)
      faults.push(
        `${name('subgraph.secret')}: required if ${caller} is assertion and no TESSERA_SUBGRAPH_ASSERTION_… names a key: it makes one`,
      )
  } else if (given.length > 0)
    faults.push(
      `${caller}: must be assertion if ${given.map((key) => name(`subgraph.${key}`)).join(', ')} is given`,
    )
  if (given.includes('assertionPublicKey') && given.includes('assertionJwksUrl'))
    faults.push(`${publicKey}, ${jwksUrl}: give one of them, not both`)
}
