/**
 * Lookups of objects by id. Each request has a DataLoader, whose cache is all that is kept of what it read. All
 * lookups of one moment go together: each id once, as many of them in a call as the service takes, with all the fields
 * that any of them needs. A request fetches nothing twice, because an earlier lookup of an id serves a later one that
 * needs no more. `SharedBatches` (shared-batches.ts) sends the lookups of different requests together.
 */
import DataLoader from 'dataloader'
import { GraphQLError } from 'graphql'
import { codeOf } from '../../../shared/errors.ts'
import { joinRequests, type SubgraphRequest } from '../../../shared/request.ts'
import type { Awaitable } from '../../../shared/runtime/is-promise.ts'
import { append } from '../../../shared/runtime/maps.ts'
import { asError } from '../../../shared/runtime/thrown.ts'
import { chunk } from '../chunk.ts'
import { SharedBatches, type Sharing } from './shared-batches.ts'

export type { Sharing } from './shared-batches.ts'

/** How objects are looked up. `Needs` says what is needed of an object, `Response` is what one call returns. */
export interface LookUpOptions<Needs, Response, Value> {
  /** Whether requests with the same credential are served together, and how. */
  readonly share: boolean | Sharing
  /** The most ids of one call; Infinity if the service bounds them otherwise. */
  readonly maxIds: number
  /** One call. `view` is that of all these lookups. */
  fetch(ids: readonly string[], needs: Needs, request: SubgraphRequest, view: string): Promise<Response>
  /** What a response says of one id; null if there is no such object. */
  pick(id: string, response: Response): Value | null | Error
  unite(some: Needs, others: Needs): Needs
  /** Whether a value that was fetched for `fetched` has all that `wanted` names. */
  covers(fetched: Needs, wanted: Needs): boolean
  /**
   * Whether the service may have refused a call for one of its ids, besides `BAD_USER_INPUT` and `NOT_FOUND`. By default
   * no other error is taken for that: it concerns who asks, or how often.
   */
  concernsOne?(error: GraphQLError): boolean
}

/**
 * The lookups of one request, whose context keeps them. `view` is how the objects are shown, if the service has several
 * ways (a language, a size): lookups of different views share no call. It is empty by default.
 */
export interface LookUp<Needs, Value> {
  /** Returns at once what was read before. Null if there is no such object. The id must be well-formed. */
  read(id: string, needs: Needs, view?: string): Awaitable<Value | null>
  /** The same for a list, at the positions of its ids; an error stands for a lookup that failed. It never rejects. */
  readAll(ids: readonly string[], needs: Needs, view?: string): Awaitable<readonly (Value | null | Error)[]>
  /** Forgets what was read of the object, in all views, or of all objects: it was changed. */
  forget(id?: string): void
}

/** One lookup of one request: the key of its DataLoader. */
interface Key<Needs, Value> {
  readonly id: string
  readonly view: string
  readonly needs: Needs
  readonly request: SubgraphRequest
  /** Set when the call has been answered. */
  outcome?: Value | null | Error
}

/** How many calls of a batch, or of one request, may follow refused ones: enough to find a wrong id among a hundred. */
const mostAgain = 16

/**
 * Makes lookups by id over a by-ids operation. The result is called once for each request, with the key of its credential;
 * what it returns belongs into the context of that request. A rejected `fetch` fails all ids of its call. If the service
 * refuses the call for one of its ids, it is asked again in halves, so that a wrong id fails alone. An id that is
 * `NOT_FOUND` by itself is null. Throws if `maxIds` is less than 1.
 */
export function createLookUps<Needs, Response, Value>(
  options: LookUpOptions<Needs, Response, Value>,
): (request: SubgraphRequest, credentialKey: string) => LookUp<Needs, Value> {
  const { share, covers, maxIds } = options
  // Without this, no id would be looked up, and every object would be null.
  if (!(maxIds >= 1)) throw new Error(`maxIds must be 1 or more, or Infinity, not ${maxIds}`)
  const fetch = (keys: readonly Key<Needs, Value>[]): Promise<void> => fetchAll(options, keys)
  if (share === false) return (request) => new RequestLookUp(request, covers, fetch)
  const shared = new SharedBatches(fetch, share === true ? {} : share)
  return (request, credentialKey) =>
    new RequestLookUp(request, covers, (keys) => shared.load(keys, request, credentialKey))
}

class RequestLookUp<Needs, Value> implements LookUp<Needs, Value> {
  readonly #request: SubgraphRequest
  readonly #cache: LookUpCache<Needs, Value>
  readonly #loader: DataLoader<Key<Needs, Value>, Value | null>

  constructor(
    request: SubgraphRequest,
    covers: (fetched: Needs, wanted: Needs) => boolean,
    fetch: (keys: readonly Key<Needs, Value>[]) => Promise<void>,
  ) {
    this.#request = request
    this.#cache = new LookUpCache(covers)
    this.#loader = new DataLoader(
      (keys) => fetch(keys).then(() => keys.map(({ outcome }) => outcome as Value | null | Error)),
      { cacheMap: this.#cache },
    )
  }

  read(id: string, needs: Needs, view = ''): Awaitable<Value | null> {
    const outcome = this.#cache.find(id, needs, view)?.key.outcome
    if (outcome !== undefined && !(outcome instanceof Error)) return outcome
    return this.#loader.load({ id, view, needs, request: this.#request })
  }

  readAll(ids: readonly string[], needs: Needs, view = ''): Awaitable<readonly (Value | null | Error)[]> {
    const known = ids.map((id) => this.#cache.find(id, needs, view)?.key.outcome)
    if (!known.includes(undefined)) return known as (Value | null | Error)[]
    const request = this.#request
    return this.#loader.loadMany(ids.map((id) => ({ id, view, needs, request })))
  }

  forget(id?: string): void {
    if (id === undefined) this.#cache.clear()
    else this.#cache.delete({ id })
  }
}

/** The cache of one DataLoader, in which a lookup serves those that need no more of the same object. */
class LookUpCache<Needs, Value> {
  readonly #byId = new Map<string, { key: Key<Needs, Value>; value: Promise<Value | null> }[]>()
  readonly #covers: (fetched: Needs, wanted: Needs) => boolean

  constructor(covers: (fetched: Needs, wanted: Needs) => boolean) {
    this.#covers = covers
  }

  /** A lookup that serves these needs, whether it has been answered or not. */
  find(id: string, needs: Needs, view: string) {
    return this.#byId.get(id)?.find(({ key }) => key.view === view && this.#covers(key.needs, needs))
  }

  get({ id, needs, view }: Key<Needs, Value>): Promise<Value | null> | undefined {
    return this.find(id, needs, view)?.value
  }

  set(key: Key<Needs, Value>, value: Promise<Value | null>): void {
    append(this.#byId, key.id, { key, value })
  }

  delete({ id }: { readonly id: string }): void {
    this.#byId.delete(id)
  }

  clear(): void {
    this.#byId.clear()
  }
}

/**
 * Fetches each id of each view once, and sets the outcomes of all keys. Lookups that were given up have calls of their
 * own, which are not sent.
 */
async function fetchAll<Needs, Response, Value>(
  options: LookUpOptions<Needs, Response, Value>,
  keys: readonly Key<Needs, Value>[],
): Promise<void> {
  const again: Again = new Map()
  const groups = Map.groupBy(keys, ({ view, request }) => `${request.cancelled} ${view}`)
  const runs = [...groups.values()].flatMap((together) => chunk(byId(together), options.maxIds))
  await Promise.all(runs.map((run) => ask(options, run, again)))
}

/** The lookups of one call, which have the same view, by their ids. */
type Run<Needs, Value> = readonly (readonly [id: string, keys: readonly Key<Needs, Value>[]])[]

const byId = <Needs, Value>(keys: readonly Key<Needs, Value>[]): Run<Needs, Value> => [
  ...Map.groupBy(keys, ({ id }) => id),
]

function outcomeOf<Response, Value>(
  id: string,
  response: Response | Error | undefined,
  pick: (id: string, response: Response) => Value | null | Error,
): Value | null | Error {
  if (response === undefined) return null
  if (response instanceof Error) return response
  try {
    return pick(id, response)
  } catch (thrown) {
    return asError(thrown)
  }
}

async function ask<Needs, Response, Value>(
  options: LookUpOptions<Needs, Response, Value>,
  run: Run<Needs, Value>,
  again: Again,
): Promise<void> {
  const ids = run.map(([id]) => id)
  const keys = run.flatMap(([, ofId]) => ofId)
  const needs = keys.map((key) => key.needs).reduce(options.unite)
  const response = await options.fetch(ids, needs, joined(keys), keys[0]?.view ?? '').catch(asError)
  const parts = isForOne(response, options) ? smaller(run, keys, again) : []
  if (parts.length > 0) {
    await Promise.all(parts.map((part) => ask(options, part, again)))
    return
  }
  const found = run.length === 1 && codeOf(response) === 'NOT_FOUND' ? undefined : response
  for (const key of keys) key.outcome = outcomeOf(key.id, found, options.pick)
}

/**
 * The requests of these lookups as one, without those that were given up. The request of the first id pays if it can:
 * as each request has its ids side by side, it then pays for no more calls than it would make alone, unless the service
 * refuses some.
 */
function joined(keys: readonly Key<unknown, unknown>[]): SubgraphRequest {
  const all = [...new Set(keys.map(({ request }) => request))]
  const waiting = all.filter(({ cancelled }) => !cancelled)
  return joinRequests(waiting.length > 0 ? waiting : all.slice(0, 1))
}

/** Whether the service may have refused the call for one of its ids. */
function isForOne(
  response: unknown,
  { concernsOne }: Pick<LookUpOptions<never, never, never>, 'concernsOne'>,
): boolean {
  if (!(response instanceof GraphQLError)) return false
  const { code } = response.extensions
  return code === 'BAD_USER_INPUT' || code === 'NOT_FOUND' || concernsOne?.(response) === true
}

/** How many calls may still follow refused ones: those of one request, and those of several (`undefined`). */
type Again = Map<SubgraphRequest | undefined, number>

/**
 * Halves of a refused run; none if there were enough. A run of several requests is then divided by requests, so that
 * no request is refused with another. Each of these has tries of its own, as if it had been alone. Requests for the same
 * ids count as one: however many they are, they take no more calls.
 */
function smaller<Needs, Value>(
  run: Run<Needs, Value>,
  keys: readonly Key<Needs, Value>[],
  again: Again,
): readonly Run<Needs, Value>[] {
  if (run.length < 2) return []
  const alike = [...Map.groupBy(Map.groupBy(keys, ({ request }) => request).values(), idsOf).values()]
  const whose = alike.length === 1 ? keys[0]?.request : undefined
  const left = again.get(whose) ?? mostAgain
  if (left < 2) return whose === undefined ? alike.map((requests) => byId(requests.flat())) : []
  again.set(whose, left - 2)
  return chunk(run, Math.ceil(run.length / 2))
}

const idsOf = (keys: readonly Key<unknown, unknown>[]): string =>
  JSON.stringify([...new Set(keys.map(({ id }) => id))].sort())
