/**
 * A connection whose first page is delivered while the later pages are still being read. Each page is read once. If
 * empty pages follow the last edge, `endCursor` leads past them; the edge's own cursor was sent before they were read.
 */
import { ContinuedList } from '../../../shared/graphql/continued-list.ts'
import type { ConnectionSource, Wanted } from './arguments.ts'
import { type Edge, edgesOf, PagedConnection, type PageInfo } from './paged.ts'
import { brokenPages, oddItems } from './trail.ts'
import { type Stretch, Walk } from './walk.ts'

/** Like `Connection`, but what only the last page tells is a promise. */
export interface ContinuedConnection<T> {
  readonly edges: ContinuedList<Edge<T>>
  readonly nodes: ContinuedList<T>
  readonly pageInfo: Promise<PageInfo>
  readonly totalCount: number | null
}

/** Resolves with the first page; rejects if it cannot be read. */
export async function continueConnection<T>(
  wanted: Wanted,
  source: ConnectionSource<T>,
): Promise<ContinuedConnection<T>> {
  const walk = new Walk(wanted, source)
  const walked = walk.pages()
  const read: Promise<Stretch<T> | undefined>[] = []
  const page = (number: number): Promise<Stretch<T> | undefined> => {
    const known = read[number]
    if (known !== undefined) return known
    const next = walked.next().then(({ value }) => value ?? undefined)
    read.push(next)
    return next
  }
  const pages = <Item>(itemsOf: (stretch: Stretch<T>) => readonly Item[]): ContinuedList<Item> =>
    new ContinuedList(async function* () {
      let odd = 0
      for (let at = 0; ; at++) {
        const stretch = await page(at)
        if (stretch === undefined) {
          if (walk.broken !== undefined) return brokenPages(source.service, walk.broken)
          return odd === 0 ? undefined : oddItems(source.service, odd)
        }
        odd += stretch.page.odd ?? 0
        yield itemsOf(stretch)
      }
    })
  const whole = async (): Promise<PagedConnection<T>> => {
    const stretches: Stretch<T>[] = []
    for (let at = 0; ; at++) {
      const stretch = await page(at)
      if (stretch === undefined) return new PagedConnection(source, wanted, stretches)
      stretches.push(stretch)
    }
  }
  const first = await page(0)
  const { totalCount } = new PagedConnection(source, wanted, first === undefined ? [] : [first])
  return {
    edges: pages((stretch) => edgesOf(source, stretch)),
    nodes: pages(({ page: { items }, from, to }) => items.slice(from, to)),
    get pageInfo() {
      return whole().then(({ pageInfo }) => pageInfo)
    },
    totalCount,
  }
}
