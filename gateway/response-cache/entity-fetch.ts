/**
 * Lookups of entities, each stored by itself. A fetch of several entities requests only the missing ones, and the
 * response is merged in the order of the fetch.
 */
import type { DocumentNode, FieldNode } from 'graphql'
import { mostErrors } from '../../engine/executor/error-list.ts'
import { selectedKeys } from '../../engine/executor/selected-keys.ts'
import type { GatewayRequest } from '../../engine/request.ts'
import type { SubgraphError, SubgraphFetch, SubgraphResult } from '../../engine/subgraphs/index.ts'
import { parseExactly } from '../../shared/json/exact-number.ts'
import { stringifyRaw } from '../../shared/json/raw.ts'
import { decisionFor, type Found, notePart, standsIn } from './answers.ts'
import { type CachedSubgraph, later } from './cached-subgraph.ts'
import { createLookUps, type Group, groupsOf, type LookUp, type Variables, variablesFor } from './look-ups.ts'
import { cacheReportOf, type FetchNote } from './report.ts'
import { addObjectTags, filled, mostTags, subgraphTag } from './tags.ts'
import { type Terms, termsOf } from './terms.ts'

/** Undefined if the fetch has more than lookups of entities. */
export function cacheEntities(
  subgraph: CachedSubgraph,
  document: DocumentNode,
  fields: readonly FieldNode[],
  send: SubgraphFetch,
): SubgraphFetch | undefined {
  const { answers, facts, rules, callerPart, name } = subgraph
  const groups = groupsOf(facts, document, fields)
  if (groups === undefined) return undefined
  const lookUpsOf = createLookUps(subgraph, groups)

  const tagsOf = ({ group, representation, type }: LookUp, data: unknown): string[] => {
    const tags = new Set<string>([subgraphTag(name)])
    let isFirst = true
    const key = (known: ((field: string) => unknown) | undefined) => (field: string) =>
      (Object.hasOwn(representation, field) ? representation[field] : undefined) ?? known?.(field)
    const add = (of: string, values: (field: string) => unknown): void => {
      addObjectTags(facts, of, values, tags)
      for (const format of facts.type(of)?.tags ?? []) {
        const tag =
          subgraph.isOwn(format) && tags.size < mostTags ? filled(format, { key: values }) : undefined
        if (tag !== undefined) tags.add(tag)
      }
    }
    // An object that does not exist has the tags of its lookup.
    if (data === null) add(type, key(undefined))
    group.selection.visitObjects(data, type, (of, values) => {
      // The object also has the tags of its lookup.
      for (const possible of facts.possibleTypes(of)) add(possible, isFirst ? key(values) : values)
      if (isFirst && of !== type) add(type, key(values))
      isFirst = false
    })
    return [...tags]
  }

  const termsFor = ({ policy }: LookUp, result: SubgraphResult): Terms | undefined =>
    termsOf(result.answered, { rules, policy, varies: callerPart !== undefined, now: answers.now() })

  const find = (lookUps: readonly LookUp[], request: GatewayRequest): Promise<unknown> | undefined => {
    if (request.notBefore === Number.POSITIVE_INFINITY) return undefined
    const pending: Promise<unknown>[] = []
    for (const each of lookUps) {
      const isPrivate = each.policy.isPrivate || each.policy.guard?.perCaller === true
      const found = answers.find(each.question, isPrivate ? 'caller' : undefined)
      const take = (held: Found | undefined): void => {
        each.held = held
        each.use = decisionFor(held, request, rules.quotaMs)
      }
      if (found instanceof Promise) pending.push(found.then(take))
      else take(found)
    }
    return pending.length === 0 ? undefined : Promise.all(pending)
  }

  /** Stores the response, and reports the result of each lookup that was sent. */
  const keepEach = (
    asked: readonly LookUp[],
    result: SubgraphResult,
    request: GatewayRequest,
    change: number,
  ): void => {
    const errors = result.errors ?? []
    // An error without a lookup may concern any of them.
    const isUnclear = errors.some(
      ({ path }) => typeof path?.[1] !== 'number' || !groups.some(({ alias }) => alias === path[0]),
    )
    const positions = new Map<Group, number>()
    for (const each of asked) {
      const { group, policy } = each
      const position = positions.get(group) ?? 0
      positions.set(group, position + 1)
      const list = result.data?.[group.alias]
      const data: unknown = Array.isArray(list) && position < list.length ? list[position] : undefined
      const failed = isUnclear || errors.some(({ path }) => path?.[0] === group.alias && path[1] === position)
      const terms = failed || data === undefined ? undefined : termsFor(each, result)
      if (terms === undefined) {
        notePart(request, 0, true)
        continue
      }
      const json = textOf(data)
      answers.keep(each.question, terms, json, tagsOf(each, parseExactly(json)), change)
      const left = Math.max(0, terms.madeAt + terms.freshMs - answers.now())
      notePart(request, left, terms.by !== undefined || policy.guard !== undefined)
    }
  }

  /** Placeholder for what is not requested. */
  const absent = (asked: readonly LookUp[]): SubgraphResult => {
    const data = emptyLists()
    for (const { group } of asked) listIn(data, group).push(null)
    return { data }
  }

  const emptyLists = (): Record<string, unknown[]> =>
    Object.fromEntries(groups.map(({ alias }) => [alias, []]))

  /** Stored and fetched entities, as one response. */
  const together = (
    lookUps: readonly LookUp[],
    asked: readonly LookUp[],
    variables: Variables,
    result: SubgraphResult,
    request: GatewayRequest,
    note: FetchNote | undefined,
  ): SubgraphResult => {
    const data = emptyLists()
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
      if (isThere) continue
      if (standsIn(each.held, result, rules.quotaMs)) {
        into[each.index] = parseExactly(each.held.entry.json)
        answers.count(name, 'stale')
        note?.count('missing', -1)
        note?.count('stale', 1, each.held.ageMs)
        continue
      }
      errors.push(...missing(each, variables, result))
    }
    for (const error of result.errors ?? []) {
      const [alias, position, ...rest] = error.path ?? []
      const group = groups.find((one) => one.alias === alias)
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
  const missing = (each: LookUp, variables: Variables, result: SubgraphResult): SubgraphError[] => {
    const { group, index, type } = each
    const given = result.data == null ? (result.errors ?? []) : []
    if (given.length === 0) {
      const message = `The subgraph ${name} answered fewer entities than it was asked for.`
      return [
        { message, extensions: { code: 'UPSTREAM_BAD_RESPONSE', service: name }, path: [group.alias, index] },
      ]
    }
    const entity = { alias: group.alias, type, possibleTypes: subgraph.possibleTypes }
    const keys = selectedKeys(document, variables, entity)
    return given.flatMap((error) =>
      keys.map((key) => ({
        message: error.message,
        extensions: error.extensions,
        originalError: error.originalError,
        path: [group.alias, index, key],
      })),
    )
  }

  const run = (
    lookUps: readonly LookUp[],
    variables: Variables,
    request: GatewayRequest,
  ): SubgraphResult | Promise<SubgraphResult> => {
    const report = cacheReportOf(request)
    const note = report?.begin(name)
    const asked: LookUp[] = []
    const counts = { hit: 0, stale: 0, miss: 0 }
    const anew: LookUp[] = []
    for (const each of lookUps) {
      if (each.use === undefined || each.held === undefined) {
        counts.miss += 1
        note?.count('missing')
        asked.push(each)
        continue
      }
      counts[each.use === 'fresh' ? 'hit' : 'stale'] += 1
      note?.count(each.use === 'fresh' ? 'fresh' : 'stale', 1, each.held.ageMs)
      const left = each.use === 'fresh' ? each.held.entry.freshMs - each.held.ageMs : 0
      notePart(request, left, each.held.by !== undefined || each.policy.guard !== undefined)
      if (each.use === 'stale, asked anew') anew.push(each)
    }
    if (report?.isDry === true) return together(lookUps, asked, variables, absent(asked), request, note)
    for (const result of ['hit', 'stale', 'miss'] as const)
      if (counts[result] > 0) answers.count(name, result, counts[result])
    const [oldest] = anew
    if (oldest !== undefined)
      subgraph.refresh(oldest.question.key, request, (other) => refresh(anew, variables, other))
    if (asked.length === 0) return together(lookUps, asked, variables, nothing, request, note)
    const change = answers.changes.last()
    const isAll = asked.length === lookUps.length
    const finish = (result: SubgraphResult): SubgraphResult => {
      keepEach(asked, result, request, change)
      const canStandIn = asked.some(({ held }) => standsIn(held, result, rules.quotaMs))
      return isAll && !canStandIn ? result : together(lookUps, asked, variables, result, request, note)
    }
    const result = send(isAll ? variables : variablesFor(groups, variables, asked), request)
    return result instanceof Promise ? result.then(finish) : finish(result)
  }

  const refresh = (anew: readonly LookUp[], variables: Variables, request: GatewayRequest): unknown => {
    const change = answers.changes.last()
    const again = lookUpsOf(variablesFor(groups, variables, anew), request)
    return later(send(variablesFor(groups, variables, anew), request), (result) =>
      keepEach(again, result, request, change),
    )
  }

  return (variables, request) => {
    const lookUps = lookUpsOf(variables, request)
    const finding = find(lookUps, request)
    return finding === undefined
      ? run(lookUps, variables, request)
      : finding.then(() => run(lookUps, variables, request))
  }
}

const listIn = (data: Record<string, unknown[]>, { alias }: Group): unknown[] => data[alias] ?? []

const nothing: SubgraphResult = { data: {} }

function textOf(value: unknown): string {
  const text = stringifyRaw(value)
  const bytes =
    typeof text === 'string'
      ? Buffer.from(text, 'latin1')
      : Buffer.concat(text.map((each) => (typeof each === 'string' ? Buffer.from(each, 'latin1') : each)))
  return bytes.toString('utf8')
}
