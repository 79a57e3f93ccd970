/**
 * Relay connections over page tokens. This is the only place that translates paging.
 *
 * A cursor names the upstream page of its edge (cursor.ts). The cursor of a page's last edge also names the next
 * page, and that of the first edge the previous one. So a walk with a constant `first` costs one upstream call for
 * each page, and no page is read twice. Going backward is offered only if the service returns tokens of previous
 * pages.
 */
import type { GraphQLResolveInfo } from 'graphql'
import { type PartialErrors, reportPartial } from '../../../shared/graphql/partial-errors.ts'
import { acceptsStreamedLists } from '../../../shared/graphql/streamed-list.ts'
import { type ConnectionArgs, type ConnectionSource, readArguments } from './arguments.ts'
import { type Connection, type Edge, PagedConnection } from './connection.ts'
import { writeCursor } from './cursor.ts'
import { type StreamedConnection, streamConnection } from './streamed-connection.ts'
import { listEndedEarly, malformedItems } from './visited-pages.ts'
import { walkPages } from './walk.ts'

export {
  type ConnectionArgs,
  type ConnectionSource,
  connectionBounds,
  type Page,
  type PageTokens,
} from './arguments.ts'
export type { Connection, Edge, PageInfo } from './connection.ts'
export type { StreamedConnection } from './streamed-connection.ts'
export { visitPages } from './visited-pages.ts'

/** The edge of an item that was just added at the beginning of a list. Reading after it starts at the second item. */
export function headEdge<T>(list: string, pageSize: number, node: T): Edge<T> {
  const position = { token: undefined, size: pageSize, index: 0, next: undefined, previous: undefined }
  return { cursor: writeCursor(list, position), node }
}

/**
 * Reads the part of a list that the arguments select. Wrong arguments and cursors are refused before any call, and
 * `first: 0` makes none. If `info` says that the field is streamed, the result resolves with the first page, and
 * later pages are read on demand. If the page tokens form a loop, the list ends there: the items so far stay, and
 * an error is added to `context`. An error is also added if the service sent malformed items.
 */
export function connect<T>(args: ConnectionArgs, source: ConnectionSource<T>): Promise<Connection<T>>
export function connect<T>(
  args: ConnectionArgs,
  source: ConnectionSource<T>,
  info: GraphQLResolveInfo,
  context?: PartialErrors,
): Promise<Connection<T> | StreamedConnection<T>>
export async function connect<T>(
  args: ConnectionArgs,
  source: ConnectionSource<T>,
  info?: GraphQLResolveInfo,
  context?: PartialErrors,
): Promise<Connection<T> | StreamedConnection<T>> {
  const wanted = readArguments(args, source)
  // When reading backward, the first items of the result are on the page that is read last, so only forward lists
  // are streamed.
  if (info !== undefined && acceptsStreamedLists(info) && wanted.direction === 'forward')
    return streamConnection(wanted, source)
  const { slices, earlyEnd } = await walkPages(wanted, source)
  if (info !== undefined && context !== undefined) {
    const malformedCount = slices.reduce((sum, { page }) => sum + (page.malformedCount ?? 0), 0)
    if (malformedCount > 0) reportPartial(context, malformedItems(source.service, malformedCount), info)
    if (earlyEnd !== undefined) reportPartial(context, listEndedEarly(source.service, earlyEnd), info)
  }
  return new PagedConnection(source, wanted, slices)
}
