/** The headers by which clients and caches store and revalidate a response (RFC 9111, RFC 9110). */
import { createHash } from 'node:crypto'
import type { CachePolicy } from '../../engine/request.ts'
import type { JsonText } from '../../shared/json/raw.ts'
import { joinedVary } from '../headers/index.ts'

/** What request headers select: the media type, the coding. */
const chosenBy = 'accept, accept-encoding'

/**
 * Names and values in turn. A response that is not for everybody may depend on each header that subgraphs receive of the
 * caller (`callerHeaders`): a browser has one caller, but not one tenant, language or cookie. `*` among them is any.
 */
export function cachingHead(
  { freshMs, isPrivate }: CachePolicy,
  callerHeaders: readonly string[],
): readonly string[] {
  const seconds = Math.floor(freshMs / 1000)
  if (!isPrivate) return ['cache-control', `public, max-age=${seconds}`, 'vary', chosenBy]
  const vary = joinedVary([chosenBy, 'authorization', ...callerHeaders])
  return ['cache-control', `private, max-age=${seconds}`, 'vary', vary]
}

/** Weak, because the same response may have several codings. */
export function etagOf(body: JsonText): string {
  const hash = createHash('sha256')
  for (const piece of typeof body === 'string' ? [body] : body)
    if (typeof piece === 'string') hash.update(piece, 'latin1')
    else hash.update(piece)
  return `W/"${hash.digest('base64url').slice(0, 27)}"`
}

/** Whether `If-None-Match` names the tag, by weak comparison. */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const opaque = tag.replace(/^W\//, '')
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === opaque)
}
