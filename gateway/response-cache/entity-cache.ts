/**
 * Lookups of entities, each stored by itself. A fetch of several entities requests only the missing ones, and the
 * response is merged in the order of the fetch.
 */
import type { DocumentNode } from 'graphql'
import { mostErrors } from '../../engine/executor/error-list.ts'
import { selectedKeys } from '../../engine/executor/selected-keys.ts'
import type { GatewayRequest } from '../../engine/request.ts'
import type { SubgraphError, SubgraphFetch, SubgraphResult } from '../../engine/subgraphs/index.ts'
import { parseExactly } from '../../shared/json/exact-number.ts'
import { type Awaitable, whenReady } from '../../shared/runtime/is-promise.ts'
import {
  addTypeTags,
  type CachedSubgraph,
  type HeldEntry,
  heldFor,
  keepData,
  noteHeld,
  type Sending,
} from './cached-subgraph.ts'
import {
  createLookUps,
  type EntityLookUp,
  type Group,
  type Variables,
  variablesFor,
} from './entity-lookups.ts'
import { type CountLookUps, cacheReportOf } from './report.ts'
import { limitAnswerPolicy, replacesFailure } from './stored-responses.ts'
import { leadingTags, subgraphTag } from './tags.ts'

/** One fetch of entities: all of its lookups, and those that are sent to the subgraph. */
interface EntityAnswer {
  readonly lookUps: readonly EntityLookUp[]
  readonly asked: readonly EntityLookUp[]
  readonly variables: Variables
  readonly request: GatewayRequest
  readonly count: CountLookUps
}

export class EntityCache {
  readonly #subgraph: CachedSubgraph
  readonly #document: DocumentNode
  readonly #groups: readonly Group[]
  readonly #send: SubgraphFetch
  readonly #lookUpsOf
  /** The tags of the lists that each group selects, which may be empty so far. */
  readonly #listTags: ReadonlyMap<Group, readonly string[]>

  constructor(
    subgraph: CachedSubgraph,
    document: DocumentNode,
    groups: readonly Group[],
    send: SubgraphFetch,
  ) {
    this.#subgraph = subgraph
    this.#document = document
    this.#groups = groups
    this.#send = send
    this.#lookUpsOf = createLookUps(subgraph, groups)
    this.#listTags = new Map(
      groups.map((group) => [group, leadingTags(subgraph.name, group.selection.objectTypes('in lists'))]),
    )
  }

  readonly answer: SubgraphFetch = (variables, request) => {
    const lookUps = this.#lookUpsOf(variables, request)
    return whenReady(this.#find(lookUps, request), () => this.#run(lookUps, variables, request))
  }

  #tagsOf({ group, representation, type }: EntityLookUp, data: unknown): string[] {
    const tags = new Set<string>([subgraphTag(this.#subgraph.name), ...(this.#listTags.get(group) ?? [])])
    let isFirst = true
    const key = (known: ((field: string) => unknown) | undefined) => (field: string) =>
      (Object.hasOwn(representation, field) ? representation[field] : undefined) ?? known?.(field)
    const add = (of: string, values: (field: string) => unknown): void =>
      addTypeTags(this.#subgraph, of, values, tags)
    // An object that does not exist has the tags of its lookup.
    if (data === null) add(type, key(undefined))
    group.selection.visitObjects(data, type, (of, values) => {
      // The object also has the tags of its lookup.
      for (const possible of this.#subgraph.facts.possibleTypes(of))
        add(possible, isFirst ? key(values) : values)
      if (isFirst && of !== type) add(type, key(values))
      isFirst = false
    })
    return [...tags]
  }

  #find(lookUps: readonly EntityLookUp[], request: GatewayRequest): Awaitable<unknown> {
    const pending: Promise<unknown>[] = []
    for (const each of lookUps) {
      const take = (held: HeldEntry | undefined): void => {
        each.held = held
      }
      const found = heldFor(this.#subgraph, each, request)
      if (found instanceof Promise) pending.push(found.then(take))
      else take(found)
    }
    return pending.length === 0 ? undefined : Promise.all(pending)
  }

  /** Stores the response, and reports the result of each lookup that was sent. */
  #keepEach(asked: readonly EntityLookUp[], result: SubgraphResult, sending: Sending): void {
    const { errors = [], answered } = result
    // An error without a lookup may concern any of them.
    const isUnclear = errors.some(
      ({ path }) => typeof path?.[1] !== 'number' || !this.#groups.some(({ alias }) => alias === path[0]),
    )
    for (const each of asked) {
      const { group, position } = each
      const failed = isUnclear || errors.some(({ path }) => path?.[0] === group.alias && path[1] === position)
      const kept = { data: failed ? undefined : itemOf(result, each), answered }
      keepData(this.#subgraph, each, sending, kept, (data) => this.#tagsOf(each, data))
    }
  }

  #emptyLists(): Record<string, unknown[]> {
    return Object.fromEntries(this.#groups.map(({ alias }) => [alias, []]))
  }

  /** Placeholder for what is not requested. */
  #absent(asked: readonly EntityLookUp[]): SubgraphResult {
    const data = this.#emptyLists()
    for (const { group } of asked) listIn(data, group).push(null)
    return { data }
  }

  /** Stored and fetched entities, as one response. */
  #answerOf(
    { lookUps, asked, variables, request, count }: EntityAnswer,
    result: SubgraphResult,
  ): SubgraphResult {
    const data = this.#emptyLists()
    for (const { group, index, held } of lookUps)
      if (held?.use !== undefined) listIn(data, group)[index] = parseExactly(held.entry.json)
    const errors: SubgraphError[] = []
    for (const each of asked) {
      const item = itemOf(result, each)
      const into = listIn(data, each.group)
      into[each.index] = item ?? null
      if (item === undefined && replacesFailure(each.held, result, this.#subgraph.rules.quotaMs)) {
        into[each.index] = parseExactly(each.held.entry.json)
        count('stale', 1, each.held.ageMs)
        continue
      }
      count('miss')
      if (item === undefined) errors.push(...this.#missing(each, variables, result))
    }
    if (result.data != null)
      for (const error of result.errors ?? []) {
        const [alias, position, ...rest] = error.path ?? []
        const about = asked.find((each) => each.group.alias === alias && each.position === position)
        errors.push(about === undefined ? error : { ...error, path: [String(alias), about.index, ...rest] })
      }
    const isWhole = errors.length === 0
    if (!isWhole) limitAnswerPolicy(request, 0, true)
    return {
      data,
      ...(isWhole ? {} : { errors: errors.slice(0, mostErrors) }),
      moreErrors: errors.length > mostErrors || result.moreErrors === true,
    }
  }

  /** The errors of a lookup without a result, at each requested field. */
  #missing(each: EntityLookUp, variables: Variables, result: SubgraphResult): SubgraphError[] {
    const { group, index, type } = each
    const given = result.data == null ? (result.errors ?? []) : []
    if (given.length === 0) {
      const message = `The subgraph ${this.#subgraph.name} returned fewer entities than were requested.`
      return [
        {
          message,
          extensions: { code: 'UPSTREAM_BAD_RESPONSE', service: this.#subgraph.name },
          path: [group.alias, index],
        },
      ]
    }
    const entity = { alias: group.alias, type, possibleTypes: this.#subgraph.possibleTypes }
    const keys = selectedKeys(this.#document, variables, entity)
    return given.flatMap((error) =>
      keys.map((key) => ({
        message: error.message,
        extensions: error.extensions,
        originalError: error.originalError,
        path: [group.alias, index, key],
      })),
    )
  }

  #run(
    lookUps: readonly EntityLookUp[],
    variables: Variables,
    request: GatewayRequest,
  ): Awaitable<SubgraphResult> {
    const report = cacheReportOf(request)
    const count = this.#subgraph.counting(report)
    const asked: EntityLookUp[] = []
    const anew: EntityLookUp[] = []
    const counts = { hit: 0, stale: 0 }
    let oldestMs = 0
    const sent = new Map<Group, number>()
    for (const each of lookUps) {
      const { group, held, policy } = each
      if (held?.use === undefined) {
        each.position = sent.get(group) ?? 0
        sent.set(group, each.position + 1)
        asked.push(each)
        continue
      }
      counts[held.use === 'fresh' ? 'hit' : 'stale'] += 1
      oldestMs = Math.max(oldestMs, held.ageMs)
      noteHeld(request, held, policy)
      if (held.use === 'stale while revalidating') anew.push(each)
    }
    for (const result of ['hit', 'stale'] as const)
      if (counts[result] > 0) count(result, counts[result], oldestMs)
    const answered = (result: SubgraphResult): SubgraphResult =>
      this.#answerOf({ lookUps, asked, variables, request, count }, result)
    if (report?.isDry === true) return answered(this.#absent(asked))
    const [oldest] = anew
    if (oldest !== undefined)
      this.#subgraph.refresh(oldest.keys.shared, request, (other) => {
        const fewer = variablesFor(this.#groups, variables, anew)
        return this.#ask(this.#lookUpsOf(fewer, other), fewer, other)
      })
    if (asked.length === 0) return answered(nothing)
    const isAll = asked.length === lookUps.length
    const fewer = isAll ? variables : variablesFor(this.#groups, variables, asked)
    return whenReady(this.#ask(asked, fewer, request), (result) => {
      const canStandIn = asked.some(({ held }) => replacesFailure(held, result, this.#subgraph.rules.quotaMs))
      if (!isAll || canStandIn) return answered(result)
      count('miss', asked.length)
      return result
    })
  }

  #ask(
    asked: readonly EntityLookUp[],
    variables: Variables,
    request: GatewayRequest,
  ): Awaitable<SubgraphResult> {
    const sending = { request, change: this.#subgraph.stored.changes.last() }
    return whenReady(this.#send(variables, request), (result) => {
      this.#keepEach(asked, result, sending)
      return result
    })
  }
}

/** The result of a lookup that was sent; undefined if the response has none. */
function itemOf(result: SubgraphResult, { group, position }: EntityLookUp): unknown {
  const list = result.data?.[group.alias]
  return Array.isArray(list) ? list[position] : undefined
}

const listIn = (data: Record<string, unknown[]>, { alias }: Group): unknown[] => data[alias] ?? []

const nothing: SubgraphResult = { data: {} }
