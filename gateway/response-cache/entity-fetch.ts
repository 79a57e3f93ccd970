/**
 * Lookups of entities, each stored by itself. A fetch of several entities requests only the missing ones, and the
 * response is merged in the order of the fetch.
 */
import type { DocumentNode } from 'graphql'
import { mostErrors } from '../../engine/executor/error-list.ts'
import { selectedKeys } from '../../engine/executor/selected-keys.ts'
import type { Selection } from '../../engine/operation/normalised.ts'
import type { GatewayRequest } from '../../engine/request.ts'
import type { SubgraphError, SubgraphFetch, SubgraphResult } from '../../engine/subgraphs/index.ts'
import { parseExactly } from '../../shared/json/exact-number.ts'
import { isTooDeep } from '../../shared/json/too-deep.ts'
import { whenReady } from '../../shared/runtime/is-promise.ts'
import { decisionFor, type Found, notePart, standsIn } from './answers.ts'
import { addOwnTags, type CachedSubgraph, freshLeft, jsonOf, termsFor } from './cached-subgraph.ts'
import { createLookUps, type Group, groupsOf, type LookUp, type Variables, variablesFor } from './look-ups.ts'
import { type CountLookUps, cacheReportOf } from './report.ts'
import { addObjectTags, mostTags, subgraphTag } from './tags.ts'

/** Undefined if the fetch has more than lookups of entities. */
export function cacheEntities(
  subgraph: CachedSubgraph,
  document: DocumentNode,
  entities: readonly Selection[],
  send: SubgraphFetch,
): SubgraphFetch | undefined {
  const groups = groupsOf(subgraph.facts, document, entities)
  if (groups === undefined) return undefined
  const cache = new EntityCache(subgraph, document, groups, send)
  return (variables, request) => cache.answer(variables, request)
}

class EntityCache {
  readonly #subgraph: CachedSubgraph
  readonly #document: DocumentNode
  readonly #groups: readonly Group[]
  readonly #send: SubgraphFetch
  readonly #lookUpsOf

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
  }

  answer(variables: Variables, request: GatewayRequest): SubgraphResult | Promise<SubgraphResult> {
    const lookUps = this.#lookUpsOf(variables, request)
    return whenReady(this.#find(lookUps, request), () => this.#run(lookUps, variables, request))
  }

  #tagsOf({ group, representation, type }: LookUp, data: unknown): string[] {
    const tags = new Set<string>([subgraphTag(this.#subgraph.name)])
    let isFirst = true
    const key = (known: ((field: string) => unknown) | undefined) => (field: string) =>
      (Object.hasOwn(representation, field) ? representation[field] : undefined) ?? known?.(field)
    const add = (of: string, values: (field: string) => unknown): void => {
      addObjectTags(this.#subgraph.facts, of, values, tags)
      addOwnTags(this.#subgraph, this.#subgraph.facts.type(of)?.tags ?? [], { key: values }, tags, mostTags)
    }
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

  #find(lookUps: readonly LookUp[], request: GatewayRequest): Promise<unknown> | undefined {
    if (request.notBefore === Number.POSITIVE_INFINITY) return undefined
    const pending: Promise<unknown>[] = []
    for (const each of lookUps) {
      const isPrivate = each.policy.isPrivate || each.policy.guard?.perCaller === true
      const found = this.#subgraph.answers.find(each.question, isPrivate ? 'caller' : undefined)
      const take = (held: Found | undefined): void => {
        each.held = held
        each.use = decisionFor(held, request, this.#subgraph.rules.quotaMs)
      }
      if (found instanceof Promise) pending.push(found.then(take))
      else take(found)
    }
    return pending.length === 0 ? undefined : Promise.all(pending)
  }

  /** Stores the response, and reports the result of each lookup that was sent. */
  #keepEach(asked: readonly LookUp[], result: SubgraphResult, request: GatewayRequest, change: number): void {
    const errors = result.errors ?? []
    // An error without a lookup may concern any of them.
    const isUnclear = errors.some(
      ({ path }) => typeof path?.[1] !== 'number' || !this.#groups.some(({ alias }) => alias === path[0]),
    )
    const positions = new Map<Group, number>()
    for (const each of asked) {
      const { group, policy } = each
      const position = positions.get(group) ?? 0
      positions.set(group, position + 1)
      const list = result.data?.[group.alias]
      const data: unknown = Array.isArray(list) && position < list.length ? list[position] : undefined
      const failed = isUnclear || errors.some(({ path }) => path?.[0] === group.alias && path[1] === position)
      const isKept = !failed && data !== undefined && !isTooDeep(data)
      const terms = isKept ? termsFor(this.#subgraph, policy, result) : undefined
      if (terms === undefined) {
        notePart(request, 0, true)
        continue
      }
      const json = jsonOf(data)
      this.#subgraph.answers.keep(each.question, terms, json, this.#tagsOf(each, parseExactly(json)), change)
      notePart(
        request,
        freshLeft(terms, this.#subgraph.answers),
        terms.by !== undefined || policy.guard !== undefined,
      )
    }
  }

  /** Placeholder for what is not requested. */
  #absent(asked: readonly LookUp[]): SubgraphResult {
    const data = this.#emptyLists()
    for (const { group } of asked) listIn(data, group).push(null)
    return { data }
  }

  #emptyLists(): Record<string, unknown[]> {
    return Object.fromEntries(this.#groups.map(({ alias }) => [alias, []]))
  }

  /** Stored and fetched entities, as one response. */
  #answerOf(
    lookUps: readonly LookUp[],
    asked: readonly LookUp[],
    variables: Variables,
    result: SubgraphResult,
    request: GatewayRequest,
    count: CountLookUps,
  ): SubgraphResult {
    const data = this.#emptyLists()
    for (const { group, index, use, held } of lookUps)
      if (use !== undefined && held !== undefined) listIn(data, group)[index] = parseExactly(held.entry.json)
    const errors: SubgraphError[] = []
    const taken = new Map<Group, LookUp[]>()
    for (const each of asked) {
      const those = taken.get(each.group) ?? []
      taken.set(each.group, those)
      const list = result.data?.[each.group.alias]
      const position = those.push(each) - 1
      const isThere = Array.isArray(list) && position < list.length
      const into = listIn(data, each.group)
      into[each.index] = isThere ? list[position] : null
      if (!isThere && standsIn(each.held, result, this.#subgraph.rules.quotaMs)) {
        into[each.index] = parseExactly(each.held.entry.json)
        count('stale', 1, each.held.ageMs)
        continue
      }
      count('miss')
      if (!isThere) errors.push(...this.#missing(each, variables, result))
    }
    for (const error of result.errors ?? []) {
      const [alias, position, ...rest] = error.path ?? []
      const group = this.#groups.find((one) => one.alias === alias)
      const about =
        group === undefined || typeof position !== 'number' ? undefined : taken.get(group)?.[position]
      if (about !== undefined && result.data != null)
        errors.push({ ...error, path: [String(alias), about.index, ...rest] })
      else if (result.data != null) errors.push(error)
    }
    const isWhole = errors.length === 0
    if (!isWhole) notePart(request, 0, true)
    return {
      data,
      ...(isWhole ? {} : { errors: errors.slice(0, mostErrors) }),
      moreErrors: errors.length > mostErrors || result.moreErrors === true,
    }
  }

  /** The errors of a lookup without a result, at each requested field. */
  #missing(each: LookUp, variables: Variables, result: SubgraphResult): SubgraphError[] {
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
    lookUps: readonly LookUp[],
    variables: Variables,
    request: GatewayRequest,
  ): SubgraphResult | Promise<SubgraphResult> {
    const report = cacheReportOf(request)
    const count = this.#subgraph.counting(report)
    const asked: LookUp[] = []
    const counts = { hit: 0, stale: 0 }
    let oldestMs = 0
    const anew: LookUp[] = []
    for (const each of lookUps) {
      if (each.use === undefined || each.held === undefined) {
        asked.push(each)
        continue
      }
      counts[each.use === 'fresh' ? 'hit' : 'stale'] += 1
      oldestMs = Math.max(oldestMs, each.held.ageMs)
      const left = each.use === 'fresh' ? each.held.entry.freshMs - each.held.ageMs : 0
      notePart(request, left, each.held.by !== undefined || each.policy.guard !== undefined)
      if (each.use === 'stale, asked anew') anew.push(each)
    }
    for (const result of ['hit', 'stale'] as const)
      if (counts[result] > 0) count(result, counts[result], oldestMs)
    if (report?.isDry === true)
      return this.#answerOf(lookUps, asked, variables, this.#absent(asked), request, count)
    const [oldest] = anew
    if (oldest !== undefined)
      this.#subgraph.refresh(oldest.question.key, request, (other) => this.#refresh(anew, variables, other))
    if (asked.length === 0) return this.#answerOf(lookUps, asked, variables, nothing, request, count)
    const change = this.#subgraph.answers.changes.last()
    const isAll = asked.length === lookUps.length
    const finish = (result: SubgraphResult): SubgraphResult => {
      this.#keepEach(asked, result, request, change)
      const canStandIn = asked.some(({ held }) => standsIn(held, result, this.#subgraph.rules.quotaMs))
      if (!isAll || canStandIn) return this.#answerOf(lookUps, asked, variables, result, request, count)
      count('miss', asked.length)
      return result
    }
    const result = this.#send(isAll ? variables : variablesFor(this.#groups, variables, asked), request)
    return whenReady(result, finish)
  }

  #refresh(anew: readonly LookUp[], variables: Variables, request: GatewayRequest): unknown {
    const change = this.#subgraph.answers.changes.last()
    const again = this.#lookUpsOf(variablesFor(this.#groups, variables, anew), request)
    return whenReady(this.#send(variablesFor(this.#groups, variables, anew), request), (result) =>
      this.#keepEach(again, result, request, change),
    )
  }
}

const listIn = (data: Record<string, unknown[]>, { alias }: Group): unknown[] => data[alias] ?? []

const nothing: SubgraphResult = { data: {} }
