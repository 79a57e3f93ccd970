/**
 * Look-ups of objects by id, on batches (loader.ts). All look-ups of one moment go together: each id once, as many of them
 * in a call as the service takes, with all the fields that any of them needs. A request fetches nothing twice, because an
 * earlier look-up of an id serves a later one that needs no more.
 */
import { GraphQLError } from 'graphql'
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { Awaitable } from '../../../shared/runtime/is-promise.ts'
import { asError } from '../../../shared/runtime/thrown.ts'
import type { Sharing } from './batch-window.ts'
import { chunk, createBatch } from './loader.ts'

export type { Sharing } from './batch-window.ts'
export { type Batch, type BatchOptions, createBatch, type Load } from './loader.ts'

/**
 * How objects are looked up. `Needs` says what is needed of an object (fields, parts), `Response` is what one call
 * returns.
 */
export interface LookUpOptions<Needs, Response, Value> {
  /** Whether requests with the same credential are served together, and how. */
  readonly share: boolean | Sharing
  /** The most ids of one call. */
  readonly maxIds: number
  fetch(ids: readonly string[], needs: Needs, request: SubgraphRequest): Promise<Response>
  /** What a response says of one id; null if there is no such object. */
  pick(id: string, response: Response): Value | null | Error
  unite(some: Needs, others: Needs): Needs
  /** Whether a value that was fetched for `fetched` has all that `wanted` names. */
  covers(fetched: Needs, wanted: Needs): boolean
}

/** The look-ups of one request, whose context keeps them. */
export interface LookUp<Needs, Value> {
  /** Returns at once what was read before. Null if there is no such object. The id must be well-formed. */
  read(id: string, needs: Needs): Awaitable<Value | null>
  /** The same for a list, at the positions of its ids; an error stands for a look-up that failed. It never rejects. */
  readAll(ids: readonly string[], needs: Needs): Awaitable<readonly (Value | null | Error)[]>
  /** Forgets what was read of the object, or of all: it was changed. */
  forget(id?: string): void
}

interface Key<Needs, Value> {
  readonly id: string
  readonly needs: Needs
  readonly request: SubgraphRequest
  /** Set as soon as it is known, before its promise resolves. */
  outcome?: Value | null | Error
}

interface Read<Needs, Value> {
  readonly key: Key<Needs, Value>
  /** Settles when the outcome is set, or with what kept it from being set. */
  done?: Promise<unknown>
  /** Made when somebody waits for it alone, before the outcome is set or if that is an error. */
  value?: Promise<Value | null>
}

/** How many calls may follow one that the service refuses: enough to find a wrong id among a hundred. */
const mostAgain = 16

/** Whether the service refuses what it was asked, and not who asks or how often: perhaps for one id of the call. */
function isRefusal(response: unknown): response is GraphQLError {
  return response instanceof GraphQLError && response.extensions.code === 'BAD_USER_INPUT'
}

/** An id of a batch, what is needed of it, and the first request that wants it. */
interface WantedId<Needs> {
  readonly id: string
  readonly needs: Needs
  readonly request: SubgraphRequest
}

/** Halves of a refused run. After enough tries, one part for each request, so that no request is refused with another. */
function smaller<Needs>(
  run: readonly WantedId<Needs>[],
  again: { left: number },
): readonly (readonly WantedId<Needs>[])[] {
  if (run.length < 2) return []
  if (again.left < 2) return [...Map.groupBy(run, ({ request }) => request).values()]
  again.left -= 2
  const middle = Math.ceil(run.length / 2)
  return [run.slice(0, middle), run.slice(middle)]
}

/**
 * Makes look-ups by id over a by-ids operation. The result is called once for each request, with the key of its credential;
 * what it returns belongs into the context of that request. A rejected `fetch` fails all ids of its call. If the service
 * refuses the call (`BAD_USER_INPUT`), it is asked again in halves, so that a wrong id fails alone.
 */
export function createLookUps<Needs, Response, Value>(
  options: LookUpOptions<Needs, Response, Value>,
): (request: SubgraphRequest, credentialKey: string) => LookUp<Needs, Value> {
  const { share, maxIds, fetch, pick, unite, covers } = options

  function take(key: Key<Needs, Value>, response: Response | Error): Value | null | Error {
    const value = response instanceof Error ? response : pick(key.id, response)
    key.outcome = value
    return value
  }

  /** Writes what the service says of each id into `responses`; `again` is how many calls may follow a refused one. */
  async function ask(
    run: readonly WantedId<Needs>[],
    request: SubgraphRequest,
    again: { left: number },
    responses: Map<string, Response | Error>,
  ): Promise<void> {
    const ids = run.map(({ id }) => id)
    const response = await fetch(ids, run.map(({ needs }) => needs).reduce(unite), request).catch(asError)
    const parts = isRefusal(response) ? smaller(run, again) : []
    if (parts.length > 1) await Promise.all(parts.map((part) => ask(part, request, again, responses)))
    else for (const id of ids) responses.set(id, response)
  }

  const batch = createBatch<Key<Needs, Value>, Value | null>({
    share,
    async fetch(keys, request) {
      const wanted = new Map<string, WantedId<Needs>>()
      for (const { id, needs, request } of keys) {
        const before = wanted.get(id)
        wanted.set(
          id,
          before === undefined ? { id, needs, request } : { ...before, needs: unite(before.needs, needs) },
        )
      }
      const responses = new Map<string, Response | Error>()
      await Promise.all(
        chunk([...wanted.values()], maxIds).map((run) => ask(run, request, { left: mostAgain }, responses)),
      )
      // Each id was in one of the calls.
      return keys.map((key) => take(key, responses.get(key.id) as Response | Error))
    },
  })

  return (request, credentialKey) => {
    const read = new Map<string, Read<Needs, Value>[]>()
    const load = batch.of(request, credentialKey)
    /** The look-up that was used last: the items of a list often look up the same object in a row. */
    let last: Read<Needs, Value> | undefined
    const find = (id: string, needs: Needs): Read<Needs, Value> | undefined => {
      if (last !== undefined && last.key.id === id && covers(last.key.needs, needs)) return last
      const known = read.get(id)?.find(({ key }) => covers(key.needs, needs))
      if (known !== undefined) last = known
      return known
    }
    const keep = (fresh: Read<Needs, Value>): void => {
      const before = read.get(fresh.key.id)
      if (before === undefined) read.set(fresh.key.id, [fresh])
      else before.push(fresh)
    }
    return {
      read(id, needs) {
        const known = find(id, needs)
        if (known !== undefined) return readingOf(known)
        const key: Key<Needs, Value> = { id, needs, request }
        const value = load.one(key)
        keep({ key, done: value, value })
        return value
      },
      readAll(ids, needs) {
        const fresh: Read<Needs, Value>[] = []
        const awaited = new Set<Promise<unknown>>()
        const reads = ids.map((id) => {
          const known = find(id, needs)
          if (known !== undefined) {
            if (known.key.outcome === undefined && known.done !== undefined) awaited.add(known.done)
            return known
          }
          const own: Read<Needs, Value> = { key: { id, needs, request } }
          fresh.push(own)
          keep(own)
          return own
        })
        if (fresh.length > 0) {
          const done = load.all(fresh.map(({ key }) => key))
          for (const own of fresh) own.done = done
          awaited.add(done)
        }
        return awaited.size === 0 ? reads.map(outcomeOf) : whenDone(awaited, reads)
      },
      forget(id) {
        last = undefined
        if (id === undefined) read.clear()
        else read.delete(id)
      },
    }
  }
}

function readingOf<Needs, Value>(known: Read<Needs, Value>): Awaitable<Value | null> {
  const { key, done } = known
  if (key.outcome !== undefined && !(key.outcome instanceof Error)) return key.outcome
  known.value ??= Promise.resolve(done).then(() => {
    if (key.outcome instanceof Error) throw key.outcome
    return key.outcome as Value | null
  })
  return known.value
}

function outcomeOf<Needs, Value>({ key }: Read<Needs, Value>): Value | null | Error {
  return key.outcome as Value | null | Error
}

/** The outcomes; for one that was not set, the error that kept it from being set. */
async function whenDone<Needs, Value>(
  awaited: ReadonlySet<Promise<unknown>>,
  reads: readonly Read<Needs, Value>[],
): Promise<(Value | null | Error)[]> {
  const failures = new Map<Promise<unknown>, Error>()
  await Promise.all(
    [...awaited].map((done) => done.catch((thrown: unknown) => failures.set(done, asError(thrown)))),
  )
  return reads.map((read) => {
    const failure = read.done === undefined ? undefined : failures.get(read.done)
    return read.key.outcome === undefined && failure !== undefined ? failure : outcomeOf(read)
  })
}
