/** Root fields of one subgraph, whose response is stored as a whole. */

import type { GatewayRequest } from '../../engine/request.ts'
import type { SubgraphFetch, SubgraphOperation, SubgraphResult } from '../../engine/subgraphs/index.ts'
import { parseExactly } from '../../shared/json/exact-number.ts'
import { stringifyRaw } from '../../shared/json/raw.ts'
import { decisionFor, type Found, notePart, standsIn } from './answers.ts'
import { type CachedSubgraph, canKeep, conditionsFor, later } from './cached-subgraph.ts'
import { canonical, Question } from './question.ts'
import { cacheReportOf, type FetchNote } from './report.ts'
import type { Selection } from './selection.ts'
import { addObjectTags, filled, mostTags, rootTag, subgraphTag } from './tags.ts'
import { narrower, type Terms, termsOf } from './terms.ts'
import type { CacheResult } from './types.ts'

export function cacheRootFields(
  subgraph: CachedSubgraph,
  operation: SubgraphOperation,
  selection: Selection,
  send: SubgraphFetch,
): SubgraphFetch {
  const { answers, facts, rules, callerPart, name } = subgraph
  const { query } = facts.root
  const policy = selection.policy(query, true, (rules.freshMs ?? 0) / 1000)
  const by = policy.isPrivate || policy.guard?.perCaller === true ? 'caller' : undefined
  const typeTags = [...selection.objectTypes(query)].map((type) => rootTag(name, type))
  const material = `${subgraph.identity}\nroot\n${selection.text}\n`

  const questionOf = (variables: Readonly<Record<string, unknown>>, request: GatewayRequest): Question => {
    const values = operation.variableNames.map((each) => [each, variables[each]] as const)
    const ordered = canonical(Object.fromEntries(values.filter(([, value]) => value !== undefined)))
    return new Question(`${material}${ordered}`, policy.guard, request, callerPart)
  }

  const tagsOf = (data: unknown, variables: Readonly<Record<string, unknown>>): string[] => {
    const tags = new Set<string>([subgraphTag(name), ...typeTags])
    selection.visitObjects(data, query, (type, values) => {
      for (const possible of facts.possibleTypes(type)) {
        addObjectTags(facts, possible, values, tags)
        for (const format of facts.type(possible)?.tags ?? []) {
          const tag =
            subgraph.isOwn(format) && tags.size < mostTags ? filled(format, { key: values }) : undefined
          if (tag !== undefined) tags.add(tag)
        }
      }
    })
    for (const { facts: field, args } of selection.rootFields(query, variables))
      for (const format of field.tags) {
        const tag = subgraph.isOwn(format) ? filled(format, { args }) : undefined
        if (tag !== undefined) tags.add(tag)
      }
    return [...tags]
  }

  const termsFor = (result: SubgraphResult): Terms | undefined =>
    termsOf(result.answered, { rules, policy, varies: callerPart !== undefined, now: answers.now() })

  /** The fetched response, or a stale one instead. */
  const finish = (
    result: SubgraphResult,
    question: Question,
    held: Found | undefined,
    variables: Readonly<Record<string, unknown>>,
    request: GatewayRequest,
    change: number,
    note: FetchNote | undefined | 'refresh',
  ): SubgraphResult => {
    const count = (outcome: CacheResult): void => {
      if (note === 'refresh') return
      answers.count(name, outcome)
      if (outcome === 'miss' || outcome === 'hit') note?.count('missing')
      else note?.count(outcome, 1, held?.ageMs)
    }
    if (held !== undefined && result.answered?.status === 304 && isEmpty(result)) {
      const said = termsFor({ answered: withHeld(result.answered, held) })
      const terms = said && { ...said, by: narrower(said.by, held.by) }
      if (terms !== undefined) {
        answers.keep(question, terms, held.entry.json, held.entry.tags, change)
        notePart(request, terms.freshMs, terms.by !== undefined || policy.guard !== undefined)
      } else notePart(request, 0, true)
      count('revalidated')
      return resultOf(held.entry.json)
    }
    if (result.errors !== undefined && standsIn(held, result, rules.quotaMs)) {
      count('stale')
      notePart(request, 0, true)
      return resultOf(held.entry.json)
    }
    count('miss')
    const terms = canKeep(result) ? termsFor(result) : undefined
    if (terms === undefined) {
      notePart(request, 0, true)
      return result
    }
    const json = jsonOf(result)
    answers.keep(question, terms, json, tagsOf(parseExactly(json), variables), change)
    notePart(request, freshLeft(terms, answers.now()), terms.by !== undefined || policy.guard !== undefined)
    return result
  }

  const ask = (
    question: Question,
    held: Found | undefined,
    variables: Readonly<Record<string, unknown>>,
    request: GatewayRequest,
    note: FetchNote | undefined | 'refresh',
  ): SubgraphResult | Promise<SubgraphResult> => {
    const change = answers.changes.last()
    const result = send(variables, request, conditionsFor(held))
    return result instanceof Promise
      ? result.then((late) => finish(late, question, held, variables, request, change, note))
      : finish(result, question, held, variables, request, change, note)
  }

  return (variables, request) => {
    const question = questionOf(variables, request)
    const report = cacheReportOf(request)
    const note = report?.begin(name)
    // Fetches of a mutation after its change bypass the cache.
    const kept = request.notBefore === Number.POSITIVE_INFINITY ? undefined : answers.find(question, by)
    return later(kept, (held) => {
      const use = decisionFor(held, request, rules.quotaMs)
      if (use === undefined || held === undefined) {
        if (report?.isDry !== true) return ask(question, held, variables, request, note)
        if (conditionsFor(held) === undefined) note?.count('missing')
        else note?.count('revalidated', 1, held?.ageMs)
        // The stored response may still be valid: the later fetches follow from it.
        return held === undefined ? unknown : resultOf(held.entry.json)
      }
      note?.count(use === 'fresh' ? 'fresh' : 'stale', 1, held.ageMs)
      if (report?.isDry === true) return resultOf(held.entry.json)
      if (use === 'stale, asked anew')
        subgraph.refresh(question.key, request, (anew) =>
          ask(questionOf(variables, anew), held, variables, anew, 'refresh'),
        )
      answers.count(name, use === 'fresh' ? 'hit' : 'stale')
      const left = use === 'fresh' ? held.entry.freshMs - held.ageMs : 0
      notePart(request, left, held.by !== undefined || policy.guard !== undefined)
      return resultOf(held.entry.json)
    })
  }
}

const unknown: SubgraphResult = { data: null }

const freshLeft = ({ madeAt, freshMs }: Terms, now: number): number => Math.max(0, madeAt + freshMs - now)

/** What a 304 does not repeat remains valid (RFC 9111, section 3.2). `narrower` keeps the callers for whom it is. */
function withHeld(
  { status, headers }: NonNullable<SubgraphResult['answered']>,
  { entry }: Found,
): NonNullable<SubgraphResult['answered']> {
  const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
  const before = [
    ...(headers.expires === undefined ? [`max-age=${seconds(entry.freshMs)}`] : []),
    ...(entry.mayBeStale
      ? [`stale-while-revalidate=${seconds(entry.revalidateMs)}`, `stale-if-error=${seconds(entry.errorMs)}`]
      : ['must-revalidate']),
  ]
  return {
    status,
    headers: {
      ...(entry.etag === undefined ? {} : { etag: entry.etag }),
      ...(entry.lastModified === undefined ? {} : { 'last-modified': entry.lastModified }),
      'cache-control': before.join(', '),
      ...headers,
    },
  }
}

/** The data as JSON, in a string. */
function jsonOf(result: SubgraphResult): string {
  const text = stringifyRaw(result.data)
  const bytes =
    typeof text === 'string'
      ? Buffer.from(text, 'latin1')
      : Buffer.concat(text.map((each) => (typeof each === 'string' ? Buffer.from(each, 'latin1') : each)))
  return bytes.toString('utf8')
}

const resultOf = (json: string): SubgraphResult => ({
  data: parseExactly(json) as Record<string, unknown>,
})

/** Whether it has neither data nor errors, like a response that says that nothing has changed. */
const isEmpty = ({ data, errors }: SubgraphResult): boolean => data === undefined && errors === undefined
