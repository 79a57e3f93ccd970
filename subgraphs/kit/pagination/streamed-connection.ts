/**
 * A connection whose first page is delivered while the later pages are still being read. Each page is read once. If
 * empty pages follow the last edge, `endCursor` leads past them; the edge's own cursor was sent before they were read.
 */
import { StreamedList } from '../../../shared/graphql/streamed-list.ts'
import type { ConnectionRange, ConnectionSource } from './arguments.ts'
import { type Edge, edgesOf, PagedConnection, type PageInfo } from './connection.ts'
import { listEndedEarly, malformedItems } from './visited-pages.ts'
import { type PageSlice, Walk } from './walk.ts'

/** Like `Connection`, but what only the last page tells is a promise. */
export interface StreamedConnection<T> {
  readonly edges: StreamedList<Edge<T>>
  readonly nodes: StreamedList<T>
  readonly pageInfo: Promise<PageInfo>
  readonly totalCount: number | null
}

/** Resolves with the first page; rejects if it cannot be read. */
export async function streamConnection<T>(
  wanted: ConnectionRange,
  source: ConnectionSource<T>,
): Promise<StreamedConnection<T>> {
  const walk = new Walk(wanted, source)
  const walked = walk.pages()
  const read: Promise<PageSlice<T> | undefined>[] = []
  const page = (number: number): Promise<PageSlice<T> | undefined> => {
    const known = read[number]
    if (known !== undefined) return known
    const next = walked.next().then(({ value }) => value ?? undefined)
    read.push(next)
    return next
  }
  const pages = <Item>(itemsOf: (slice: PageSlice<T>) => readonly Item[]): StreamedList<Item> =>
    new StreamedList(async function* () {
      let malformedCount = 0
      for (let at = 0; ; at++) {
        const slice = await page(at)
        if (slice === undefined) {
          if (walk.earlyEnd !== undefined) return listEndedEarly(source.service, walk.earlyEnd)
          return malformedCount === 0 ? undefined : malformedItems(source.service, malformedCount)
        }
        malformedCount += slice.page.malformedCount ?? 0
        yield itemsOf(slice)
      }
    })
  const whole = async (): Promise<PagedConnection<T>> => {
    const slices: PageSlice<T>[] = []
    for (let at = 0; ; at++) {
      const slice = await page(at)
      if (slice === undefined) return new PagedConnection(source, wanted, slices)
      slices.push(slice)
    }
  }
  const first = await page(0)
  const { totalCount } = new PagedConnection(source, wanted, first === undefined ? [] : [first])
  return {
    edges: pages((slice) => edgesOf(source, slice)),
    nodes: pages(({ page: { items }, from, to }) => items.slice(from, to)),
    get pageInfo() {
      return whole().then(({ pageInfo }) => pageInfo)
    },
    totalCount,
  }
}
