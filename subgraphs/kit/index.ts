/**
 * The kit: what a subgraph over a REST service is made of.
 *
 * - `createUpstream` calls the service: deadline, retry, circuit breaker, bounds, cache, credentials.
 * - `connect` turns page tokens into a Relay connection.
 * - `createLookUps` batches reads by id, within one request and between requests.
 * - `selectionOf` says which fields are selected, so that nothing else is requested.
 * - `createSubgraph` makes a Federation 2 subgraph of SDL and resolvers.
 * - `describeService` describes a service once: its variables, check, estimates and subgraph follow from it.
 *
 * @example
 * ```ts
 * import { connect, createSubgraph, createUpstream } from 'tessera-graph/kit'
 *
 * interface Books { readonly items: readonly { readonly title: string }[]; readonly nextPageToken?: string }
 *
 * const upstream = createUpstream({
 *   service: 'books',
 *   baseUrl: 'http://127.0.0.1:8080',
 *   credential: { kind: 'none' },
 *   failure: () => undefined,
 * })
 * export const books = createSubgraph({
 *   name: 'books',
 *   typeDefs: `type Query { books(first: Int, after: String): BookConnection }  …`,
 *   resolvers: {
 *     Query: {
 *       books: (_parent, args, { request }) =>
 *         connect(args, {
 *           list: 'books',
 *           pages: { maxPageSize: 100, defaultPageSize: 20 },
 *           async fetch(token, size) {
 *             const path = `/books?size=${size}${token === undefined ? '' : `&token=${token}`}`
 *             const { body } = await upstream.send<Books>(
 *               { operation: 'books.list', method: 'GET', path, safe: true },
 *               request,
 *             )
 *             return { items: body.items, next: body.nextPageToken }
 *           },
 *         }),
 *     },
 *   },
 *   createContext: (request) => ({ request }),
 *   close: () => upstream.close(),
 * })
 * ```
 */
export { badInput, type ErrorCode, errorCodes, isErrorCode, tesseraError } from '../../shared/errors.ts'
export { fromGlobalId, keyOfGlobalId, toGlobalId } from '../../shared/graphql/global-id.ts'
export { type PartialErrors, reportPartial } from '../../shared/graphql/partial-errors.ts'
export type { CallRecord, Meter, SubgraphRequest } from '../../shared/request.ts'
export type {
  FieldCalls,
  PageBounds,
  ServiceCalls,
  ServiceOperation,
} from '../../shared/service-calls.ts'
export type { Subgraph } from '../../shared/subgraph.ts'
export type { UpstreamCall, UpstreamEvent, UpstreamState } from '../../shared/upstream.ts'
export { createLookUps, type LookUp, type LookUpOptions, type Sharing } from './batching/index.ts'
export { listCalls, lookupCalls, plainCalls } from './calls.ts'
export { type Credential, credentialForms, parseCredential } from './credentials/index.ts'
export { type IdList, readIdList } from './id-list.ts'
export { callOf, fillPath } from './operation.ts'
export {
  type Connection,
  type ConnectionArgs,
  type ConnectionSource,
  connect,
  type Edge,
  headEdge,
  type Page,
  type PageInfo,
  type PageTokens,
} from './pagination/index.ts'
export { type Reader, type Readers, readersOf, withReaders } from './readers.ts'
export {
  createUpstream,
  type FailedResponse,
  type Failure,
  type FailureReader,
  type Upstream,
  type UpstreamOptions,
  type UpstreamResponse,
  type UpstreamTuning,
} from './rest-client/index.ts'
export { dateTime, uint64, unsignedInt } from './scalars.ts'
export { type Selection, selectionOf } from './selection.ts'
export {
  describeService,
  ofForm,
  oneOf,
  type Probe,
  type ServiceDescription,
  type Setting,
  type Settings,
  type SettingValues,
  type SubgraphHost,
} from './service.ts'
export { publicMessage } from './service-message.ts'
export { createServiceUpstream, createSubgraph, type ServiceOptions, type SubgraphParts } from './subgraph.ts'
export { type Write, writeOnce } from './write-once.ts'
