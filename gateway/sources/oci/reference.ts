/** References to artifacts in registries: `oci://registry/name:tag` or `oci://registry/name@sha256:…`. */

export interface OciReference {
  /** Without a path; `http:` for a registry on this machine, or if `oci+http://` says so. */
  readonly registry: URL
  readonly repository: string
  /** A tag or a digest. */
  readonly reference: string
  readonly isDigest: boolean
  /** As written for people. */
  readonly name: string
}

const form =
  /^oci(\+http)?:\/\/([^/@\s]+)\/([a-z0-9]+(?:[._/-]+[a-z0-9]+)*)(?::([A-Za-z0-9_][A-Za-z0-9._-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/
const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/
const longest = 1024

/** Docker Hub uses another host name than people do. */
const hubNames: ReadonlySet<string> = new Set(['docker.io', 'index.docker.io'])
const hub = 'registry-1.docker.io'

/** Throws an Error that does not repeat the text. */
export function parseOciReference(text: string): OciReference {
  const [, plain, host = '', given = '', tag, digest] = text.length > longest ? [] : (form.exec(text) ?? [])
  const isHub = hubNames.has(host)
  const scheme = plain !== undefined || local.test(host) ? 'http' : 'https'
  const registry = host === '' ? null : URL.parse(`${scheme}://${isHub ? hub : host}`)
  if (registry === null || registry.username !== '')
    throw new Error(
      'expected an artifact of a registry, such as oci://registry.example.com/graphs/shop:production or one with @sha256: and a digest',
    )
  const repository = isHub && !given.includes('/') ? `library/${given}` : given
  const reference = digest ?? tag ?? 'latest'
  return {
    registry,
    repository,
    reference,
    isDigest: digest !== undefined,
    name: `oci://${host}/${given}${digest === undefined ? ':' : '@'}${reference}`,
  }
}
