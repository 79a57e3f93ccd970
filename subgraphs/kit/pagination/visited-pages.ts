/**
 * Detects loops in the pages of a list. A service may ignore page tokens, return the one that was sent, or return to
 * an earlier page. So reading ends at a token that was used before, and at a bound. The visited pages can be written
 * into a cursor, so that reading over several requests ends as well. The cursor then holds a bounded number of
 * digests, and one more that finds longer loops (Brent's algorithm).
 */

import { hash } from 'node:crypto'
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../../shared/errors.ts'
import { malformed } from '../json.ts'

/** Why a walk ended before its list did. */
export type EarlyEnd = 'circle' | 'repeated' | 'bound' | 'unusable'

/** How many tokens a cursor names. */
const writtenTokens = 32
const digestLength = 5
/**
 * The length of the digests within one request. A request may read thousands of tokens, and shorter digests would
 * collide.
 */
const longDigestLength = 22
/** The most characters of a token. Each edge's cursor has it, and a longer address is refused by most servers. */
const longestToken = 8_192
/** The most pages of one walk, over all of its requests. */
const mostPagesOfWalk = 100_000

const form = /^[<>]([0-9a-z]{1,4})\.((?:[\w-]{5}){0,33})\.((?:[\w-]{10})?)$/

const longDigestOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, longDigestLength)
const shortened = (digest: string): string => digest.slice(0, digestLength)
const digestOf = (text: string): string => shortened(longDigestOf(text))

/** The digests of a page's first item, and of its first two; the second is empty if it has one item. */
interface PageFingerprint {
  readonly one: string
  readonly two: string
}

/** Undefined if the page has no items, or none that can be told apart. */
export function fingerprintOf<T>(
  items: readonly T[],
  keyOf: ((item: T) => string) | undefined,
): PageFingerprint | undefined {
  const [first, second] = items
  if (keyOf === undefined || first === undefined) return undefined
  const key = keyOf(first)
  return { one: digestOf(key), two: second === undefined ? '' : digestOf(`${key}\n${keyOf(second)}`) }
}

/**
 * Whether a page repeats the one before it, which means that it begins with the same two items. A single item can
 * move to the next page while a list is read, so a page of one item counts only if its next token is refused, too.
 */
export function isSamePage(
  page: PageFingerprint | undefined,
  before: PageFingerprint | undefined,
  isRefused: boolean,
): boolean {
  if (page === undefined || before === undefined) return false
  return (page.two !== '' && page.two === before.two) || (isRefused && page.one === before.one)
}

/** The written pages, with the fingerprint of the page from which the walk continues. */
export const withFingerprint = (written: string, page: PageFingerprint | undefined): string =>
  page === undefined ? written : written + (page.one + page.two).padEnd(2 * digestLength, '-')

export const isVisitedPages = (text: string): boolean => form.test(text)

export class VisitedPages {
  readonly #direction: '>' | '<'
  /** Long digests of the tokens of this request. */
  readonly #seen = new Set<string>()
  /** Digests of the tokens that earlier requests wrote. */
  readonly #written = new Set<string>()
  /** Digests, the newest last. */
  #recent: string[] = []
  #milestone = ''
  #pages = 0
  /** The fingerprint of the page from which the walk continued, if an earlier request read that page. */
  readonly fingerprint: PageFingerprint | undefined

  /** `written` comes from an earlier walk, and is ignored if that walk went in the other direction. */
  constructor(direction: 'forward' | 'backward', written: string | undefined) {
    this.#direction = direction === 'forward' ? '>' : '<'
    const parts = written?.startsWith(this.#direction) === true ? form.exec(written) : null
    if (parts === null) return
    const [, pages = '', digests = '', mark = ''] = parts
    const [milestone = '', ...recent] = digests.match(/.{5}/g) ?? []
    this.#pages = Number.parseInt(pages, 36)
    this.#milestone = milestone
    this.#recent = recent
    for (const digest of recent) this.#written.add(digest)
    if (mark !== '') this.fingerprint = { one: mark.slice(0, digestLength), two: mark.slice(digestLength) }
  }

  /** Whether no token has been used yet. */
  get isEmpty(): boolean {
    return this.#pages === 0
  }

  /** Call it when a page is read with this token for the first time in the walk. */
  enter(token: string): void {
    const long = longDigestOf(token)
    const digest = shortened(long)
    this.#pages += 1
    if ((this.#pages & (this.#pages - 1)) === 0) this.#milestone = digest
    this.#seen.add(long)
    this.#recent = [...this.#recent, digest].slice(-writtenTokens)
  }

  /** Why reading must not continue with this token; undefined if it may. */
  refuses(token: string): EarlyEnd | undefined {
    if (token.length > longestToken || !token.isWellFormed()) return 'unusable'
    if (this.#pages === 0) return undefined
    const long = longDigestOf(token)
    const digest = shortened(long)
    if (this.#seen.has(long) || this.#written.has(digest) || digest === this.#milestone) return 'circle'
    return this.#pages >= mostPagesOfWalk ? 'bound' : undefined
  }

  /** The visited pages, for the cursors of the page that was entered last. */
  write(): string {
    const digests = this.#pages === 0 ? '' : [this.#milestone, ...this.#recent].join('')
    return `${this.#direction}${this.#pages.toString(36)}.${digests}.`
  }
}

const meanings: Readonly<Record<EarlyEnd, string>> = {
  circle: 'named a page as the next one that had been read before',
  repeated: 'returned the same page again',
  bound: 'named more pages than the bound allows',
  unusable: 'named the next page by a token that cannot be sent back',
}

const reasons: Readonly<Record<EarlyEnd, string>> = {
  circle: 'pagesRepeat',
  repeated: 'pagesRepeat',
  bound: 'tooManyPages',
  unusable: 'unusableToken',
}

/** The error for a list that ended early. The items so far stay. */
export function listEndedEarly(service: string | undefined, why: EarlyEnd): GraphQLError {
  return tesseraError(
    'UPSTREAM_BAD_RESPONSE',
    `The ${service ?? 'upstream'} service ${meanings[why]}: the list ends here and may lack items.`,
    { service, upstream: { reason: reasons[why] } },
  )
}

export function malformedItems(service: string | undefined, count: number): GraphQLError {
  const what = count === 1 ? 'an item' : `${count} items`
  return malformed(
    service,
    `The ${service ?? 'upstream'} service sent ${what} in a form that it does not promise; the list lacks ${count === 1 ? 'it' : 'them'}.`,
  )
}

/**
 * Reads a list page by page until `visit` returns true, or the list ends. Returns an error if the list ended at a
 * token that was seen before or cannot be used, or at the bound.
 */
export async function visitPages<P extends { readonly next?: string | undefined }>(list: {
  readonly service: string
  readonly mostPages: number
  fetch(token: string | undefined): Promise<P>
  /** Returns true if no further page is needed. */
  visit(page: P): boolean
}): Promise<GraphQLError | undefined> {
  const visited = new VisitedPages('forward', undefined)
  let token: string | undefined
  for (let pages = 0; pages < list.mostPages; pages++) {
    if (token !== undefined) visited.enter(token)
    const page = await list.fetch(token)
    if (list.visit(page)) return undefined
    token = page.next
    if (token === undefined) return undefined
    const why = visited.refuses(token)
    if (why !== undefined) return listEndedEarly(list.service, why)
  }
  return listEndedEarly(list.service, 'bound')
}
