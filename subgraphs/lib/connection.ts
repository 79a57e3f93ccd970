/**
 * Relay connections over page tokens: the only place where paging is translated.
 *
 * A cursor is the place of its edge: the token and the size of the upstream page it stood on and its index
 * there. The cursor of a page's last edge also names the next page, that of the first edge the previous one,
 * so a walk with a constant `first` costs one upstream call a page, and no page is read twice. A digest over
 * the place and the list's filters makes a cursor of another list, or a mangled one, fail before any call.
 *
 * Going backward is offered only where the service hands out tokens of previous pages; it is never faked.
 */
import { hash } from 'node:crypto'
import { badInput } from './errors.ts'

export interface ConnectionArgs {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
}

/** One upstream page. It may be short, or empty, and still have a next one. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly next?: string | undefined
  readonly previous?: string | undefined
  /** How many items the service claims the whole list has; absent where it makes no such claim. */
  readonly total?: number | null | undefined
}

export interface ConnectionSource<T> {
  /** Names the list and all its filters. Cursors of another list are refused. */
  readonly list: string
  /** The most items that the service gives in one page. */
  readonly maxPageSize: number
  /** How many items are read where neither `first` nor `last` is given. */
  readonly defaultPageSize: number
  /** The fewest items that the service can be asked for in one page. 1 unless said. */
  readonly minPageSize?: number | undefined
  fetch(pageToken: string | undefined, pageSize: number): Promise<Page<T>>
}

export interface Edge<T> {
  readonly cursor: string
  readonly node: T
}

export interface PageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

/** What a connection field resolves to. Cursors are made only when somebody selects them. */
export interface Connection<T> {
  readonly edges: readonly Edge<T>[]
  readonly nodes: readonly T[]
  readonly pageInfo: PageInfo
  readonly totalCount: number | null
}

/** The most items that one connection field gives at once; it bounds what one field may cost. */
export const maxItems = 10_000

/** A place in a list: right after item `index` of the page, or, read backward, right before it. */
interface Place {
  readonly token: string | undefined
  readonly size: number
  readonly index: number
  readonly next: string | undefined
  readonly previous: string | undefined
}

interface FetchedPage<T> {
  readonly token: string | undefined
  readonly size: number
  readonly page: Page<T>
}

/** A stretch of one fetched page. */
interface Run<T> extends FetchedPage<T> {
  readonly from: number
  readonly to: number
}

type Direction = 'forward' | 'backward'

interface Wanted {
  readonly direction: Direction
  readonly count: number
  readonly from: Place | undefined
}

function digestOf(list: string, place: string): string {
  return hash('sha256', `${list}\n${place}`, 'base64url').slice(0, 12)
}

function writeCursor(list: string, place: Place): string {
  const text = JSON.stringify([
    place.token ?? 0,
    place.size,
    place.index,
    place.next ?? 0,
    place.previous ?? 0,
  ])
  return Buffer.from(digestOf(list, text) + text, 'utf8').toString('base64url')
}

function decodePlace(cursor: string): { place: Place; digest: string; text: string } | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined
  const decoded = Buffer.from(cursor, 'base64url').toString('utf8')
  const text = decoded.slice(12)
  let parts: unknown
  try {
    parts = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!Array.isArray(parts) || parts.length !== 5) return undefined
  const [token, size, index, next, previous] = parts as unknown[]
  const tokenOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  if (typeof size !== 'number' || typeof index !== 'number') return undefined
  return {
    place: { token: tokenOf(token), size, index, next: tokenOf(next), previous: tokenOf(previous) },
    digest: decoded.slice(0, 12),
    text,
  }
}

function readCursor(list: string, cursor: string, argument: 'after' | 'before'): Place {
  const decoded = decodePlace(cursor)
  if (decoded === undefined || digestOf(list, decoded.text) !== decoded.digest) {
    throw badInput(
      `\`${argument}\` is not a cursor of this list. Take one from \`edges.cursor\` or \`pageInfo\` of the same field with the same filters.`,
      { argument },
    )
  }
  return decoded.place
}

function readCount(name: 'first' | 'last', count: number): number {
  if (!Number.isInteger(count) || count < 0 || count > maxItems) {
    throw badInput(`\`${name}\` must be a whole number from 0 to ${maxItems}, not ${count}.`, {
      argument: name,
    })
  }
  return count
}

function readArguments(args: ConnectionArgs, source: ConnectionSource<unknown>): Wanted {
  const { first, after, last, before } = args
  const backward = (last ?? undefined) !== undefined || (before ?? undefined) !== undefined
  if (backward) {
    if ((first ?? undefined) !== undefined || (after ?? undefined) !== undefined) {
      throw badInput(
        '`first` and `after` read forward, `last` and `before` backward: give one pair, not both.',
      )
    }
    if ((before ?? undefined) === undefined) {
      throw badInput(
        '`last` needs `before`: the service can be read backward only from a place that was reached before.',
        { argument: 'last' },
      )
    }
    const count = readCount('last', last ?? source.defaultPageSize)
    return { direction: 'backward', count, from: readCursor(source.list, before ?? '', 'before') }
  }
  const count = readCount('first', first ?? source.defaultPageSize)
  const from = (after ?? undefined) === undefined ? undefined : readCursor(source.list, after ?? '', 'after')
  return { direction: 'forward', count, from }
}

/** Whether reading on from this place has to read the page again on which it stood. */
function standsInside(place: Place, direction: Direction): boolean {
  return direction === 'forward' ? place.next === undefined : place.index > 0
}

function mostCalls(count: number, inside: boolean, maxPageSize: number): number {
  return count === 0 ? 0 : Math.ceil(count / maxPageSize) + (inside ? 1 : 0)
}

/** How many upstream calls a connection field makes at most; needs no list and checks nothing. */
export function mostCallsOf(args: ConnectionArgs, maxPageSize: number, defaultPageSize: number): number {
  const cursor = args.after ?? args.before ?? undefined
  const count = args.first ?? args.last ?? defaultPageSize
  const place = cursor === undefined ? undefined : decodePlace(cursor)?.place
  const direction = (args.before ?? undefined) === undefined ? 'forward' : 'backward'
  return mostCalls(count, place !== undefined && standsInside(place, direction), maxPageSize)
}

/** Reads on from a place until enough items are there, the list ends, or its share of calls is used up. */
async function readRuns<T>(wanted: Wanted, source: ConnectionSource<T>): Promise<Run<T>[]> {
  const { direction, count, from } = wanted
  const runs: Run<T>[] = []
  if (count === 0) return runs
  const inside = from !== undefined && standsInside(from, direction)
  let calls = mostCalls(count, inside, source.maxPageSize)
  let missing = count

  const take = async (
    token: string | undefined,
    size: number,
    edge?: number,
  ): Promise<string | undefined> => {
    calls -= 1
    const page = await source.fetch(token, size)
    const length = page.items.length
    const run =
      direction === 'forward'
        ? { from: Math.min(edge ?? 0, length), to: Math.min((edge ?? 0) + missing, length) }
        : { from: Math.max((edge ?? length) - missing, 0), to: Math.min(edge ?? length, length) }
    runs.push({ token, size, page, ...run })
    missing -= run.to - run.from
    return direction === 'forward' ? page.next : page.previous
  }

  let token: string | undefined
  let size = 0
  if (inside && from !== undefined) {
    size = from.size
    token = await take(from.token, from.size, direction === 'forward' ? from.index + 1 : from.index)
    if (token === undefined) return runs
  } else if (from !== undefined) {
    token = direction === 'forward' ? from.next : from.previous
    size = from.size
    if (direction === 'backward' && token === undefined) return runs
  }
  while (missing > 0 && calls > 0) {
    // A previous page starts where its size says, so it is read in the size of the page that named it.
    const pageSize =
      direction === 'backward'
        ? size
        : Math.min(Math.max(missing, source.minPageSize ?? 1), source.maxPageSize)
    token = await take(token, pageSize)
    if (token === undefined) break
  }
  return direction === 'forward' ? runs : runs.reverse()
}

class PagedConnection<T> implements Connection<T> {
  readonly #list: string
  readonly #wanted: Wanted
  readonly #runs: readonly Run<T>[]
  readonly nodes: readonly T[]

  constructor(list: string, wanted: Wanted, runs: readonly Run<T>[]) {
    this.#list = list
    this.#wanted = wanted
    this.#runs = runs
    const [only] = runs
    this.nodes =
      runs.length === 1 && only !== undefined && only.from === 0 && only.to === only.page.items.length
        ? only.page.items
        : runs.flatMap((run) => run.page.items.slice(run.from, run.to))
  }

  get edges(): readonly Edge<T>[] {
    const edges: Edge<T>[] = []
    for (const run of this.#runs) {
      for (let index = run.from; index < run.to; index++) {
        const node = run.page.items[index]
        if (node !== undefined) edges.push({ cursor: this.#cursorAt(run, index), node })
      }
    }
    return edges
  }

  get totalCount(): number | null {
    const [first] = this.#runs
    if (first === undefined) return null
    const { page, token } = first
    if (page.total !== undefined && page.total !== null) return page.total
    return token === undefined && page.next === undefined ? page.items.length : null
  }

  get pageInfo(): PageInfo {
    const first = this.#runs[0]
    const last = this.#runs.at(-1)
    if (first === undefined || last === undefined) {
      const { from, direction } = this.#wanted
      return {
        hasNextPage: direction === 'backward' && from !== undefined,
        hasPreviousPage: direction === 'forward' && from !== undefined,
        startCursor: null,
        endCursor: null,
      }
    }
    const filled = this.#runs.filter((run) => run.to > run.from)
    const start = filled[0]
    const end = filled.at(-1)
    return {
      hasNextPage: last.to < last.page.items.length || last.page.next !== undefined,
      hasPreviousPage:
        first.from > 0 ||
        first.page.previous !== undefined ||
        (this.#wanted.direction === 'forward' && first.token !== undefined),
      startCursor: start === undefined ? null : this.#cursorAt(start, start.from),
      // A page without items that has a next one still needs a way on.
      endCursor:
        end !== undefined && end === last ? this.#cursorAt(end, end.to - 1) : this.#cursorAfter(last, end),
    }
  }

  /** The way on where the last page that was read gave nothing. */
  #cursorAfter(last: Run<T>, end: Run<T> | undefined): string | null {
    if (last.page.next === undefined) return end === undefined ? null : this.#cursorAt(end, end.to - 1)
    return writeCursor(this.#list, {
      token: last.token,
      size: last.size,
      index: last.page.items.length,
      next: last.page.next,
      previous: undefined,
    })
  }

  #cursorAt(run: Run<T>, index: number): string {
    return writeCursor(this.#list, {
      token: run.token,
      size: run.size,
      index,
      next: index === run.page.items.length - 1 ? run.page.next : undefined,
      previous: index === 0 ? run.page.previous : undefined,
    })
  }
}

/** The edge of an item that has just come to stand at the head of a list: what is read after it begins at the second. */
export function headEdge<T>(list: string, pageSize: number, node: T): Edge<T> {
  const place = { token: undefined, size: pageSize, index: 0, next: undefined, previous: undefined }
  return { cursor: writeCursor(list, place), node }
}

/**
 * Reads the part of a list that the arguments ask for. Wrong arguments and cursors are refused before any
 * call; `first: 0` makes none.
 */
export async function connect<T>(args: ConnectionArgs, source: ConnectionSource<T>): Promise<Connection<T>> {
  const wanted = readArguments(args, source)
  return new PagedConnection(source.list, wanted, await readRuns(wanted, source))
}
