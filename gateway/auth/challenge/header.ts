/** A challenge as the value of `WWW-Authenticate` (RFC 9110, section 11.6.1), for each accepted scheme. */
import type { Challenge } from './challenge.ts'

/** Usual proxies have 4 KB for all headers of a response, and answer 502 to longer ones. */
const mostCharacters = 3_000

interface Schemes {
  readonly bearer: boolean
  /** The signature algorithms of DPoP proofs; undefined if none are accepted. */
  readonly dpop: readonly string[] | undefined
}

/** A quoted string has printable ASCII only; a message may contain quotes. */
function quoted(text: string): string {
  return `"${text
    .replaceAll('"', "'")
    .replaceAll('\\', '/')
    .replaceAll(/[^\x20-\x7e]/g, '?')}"`
}

const names = ['error', 'error_description', 'scope', 'acr_values', 'max_age'] as const

function parametersOf(challenge: Challenge, metadata: string | undefined): string[] {
  const all = [['resource_metadata', metadata], ...names.map((name) => [name, challenge[name]])]
  return all.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${quoted(String(value))}`]))
}

/** One scheme with its parameters; a scheme may stand alone. */
function schemeWith(scheme: string, parameters: readonly string[]): string {
  return parameters.length === 0 ? scheme : `${scheme} ${parameters.join(', ')}`
}

/** `metadata`: the address of RFC 9728's document. Scopes that would make the header too long are left out. */
export function challengeHeader(
  challenge: Challenge,
  metadata: string | undefined,
  schemes: Schemes,
): string {
  const header = headerOf(challenge, metadata, schemes)
  if (header.length <= mostCharacters) return header
  return headerOf({ ...challenge, scope: undefined }, metadata, schemes)
}

function headerOf(challenge: Challenge, metadata: string | undefined, { bearer, dpop }: Schemes): string {
  const isOfProof = challenge.error === 'invalid_dpop_proof' || challenge.error === 'use_dpop_nonce'
  const parameters = parametersOf(challenge, metadata)
  // An error of a proof belongs to the scheme with proofs.
  const plain = isOfProof ? parametersOf({}, metadata) : parameters
  const schemes: string[] = []
  // Bearer comes first: some clients read a challenge only if the header begins with it.
  if (bearer) schemes.push(schemeWith('Bearer', plain))
  if (dpop !== undefined) schemes.push(schemeWith('DPoP', [...parameters, `algs=${quoted(dpop.join(' '))}`]))
  return schemes.join(', ')
}
