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
import type { CacheResult, VariantsBy } from './types.ts'

export function cacheRootFields(
  subgraph: CachedSubgraph,
  operation: SubgraphOperation,
  selection: Selection,
  send: SubgraphFetch,
): SubgraphFetch {
  const cache = new RootFieldCache(subgraph, operation, selection, send)
  return (variables, request) => cache.answer(variables, request)
}

class RootFieldCache {
  readonly #subgraph: CachedSubgraph
  readonly #operation: SubgraphOperation
  readonly #selection: Selection
  readonly #send: SubgraphFetch
  readonly #answers: CachedSubgraph['answers']
  readonly #facts: CachedSubgraph['facts']
  readonly #rules: CachedSubgraph['rules']
  readonly #callerPart: CachedSubgraph['callerPart']
  readonly #name: CachedSubgraph['name']
  readonly #query
  readonly #policy
  readonly #by: VariantsBy | undefined
  readonly #typeTags
  readonly #material

  constructor(
    subgraph: CachedSubgraph,
    operation: SubgraphOperation,
    selection: Selection,
    send: SubgraphFetch,
  ) {
    this.#subgraph = subgraph
    this.#operation = operation
    this.#selection = selection
    this.#send = send
    const { answers, facts, rules, callerPart, name } = subgraph
    this.#answers = answers
    this.#facts = facts
    this.#rules = rules
    this.#callerPart = callerPart
    this.#name = name
    const { query } = this.#facts.root
    this.#query = query
    this.#policy = selection.policy(this.#query, true, (this.#rules.freshMs ?? 0) / 1000)
    this.#by = this.#policy.isPrivate || this.#policy.guard?.perCaller === true ? 'caller' : undefined
    this.#typeTags = [...selection.objectTypes()].map((type) => rootTag(this.#name, type))
    this.#material = `${subgraph.identity}\nroot\n${selection.text}\n`
  }

  answer(
    variables: Readonly<Record<string, unknown>>,
    request: GatewayRequest,
  ): SubgraphResult | Promise<SubgraphResult> {
    const question = this.#questionOf(variables, request)
    const report = cacheReportOf(request)
    const note = report?.begin(this.#name)
    // Fetches of a mutation after its change bypass the cache.
    const kept =
      request.notBefore === Number.POSITIVE_INFINITY ? undefined : this.#answers.find(question, this.#by)
    return later(kept, (held) => {
      const use = decisionFor(held, request, this.#rules.quotaMs)
      if (use === undefined || held === undefined) {
        if (report?.isDry !== true) return this.#ask(question, held, variables, request, note)
        if (conditionsFor(held) === undefined) note?.count('missing')
        else note?.count('revalidated', 1, held?.ageMs)
        // The stored response may still be valid: the later fetches follow from it.
        return held === undefined ? unknown : resultOf(held.entry.json)
      }
      note?.count(use === 'fresh' ? 'fresh' : 'stale', 1, held.ageMs)
      if (report?.isDry === true) return resultOf(held.entry.json)
      if (use === 'stale, asked anew')
        this.#subgraph.refresh(question.key, request, (anew) =>
          this.#ask(this.#questionOf(variables, anew), held, variables, anew, 'refresh'),
        )
      this.#answers.count(this.#name, use === 'fresh' ? 'hit' : 'stale')
      const left = use === 'fresh' ? held.entry.freshMs - held.ageMs : 0
      notePart(request, left, held.by !== undefined || this.#policy.guard !== undefined)
      return resultOf(held.entry.json)
    })
  }

  #questionOf(variables: Readonly<Record<string, unknown>>, request: GatewayRequest): Question {
    const values = this.#operation.variableNames.map((each) => [each, variables[each]] as const)
    const ordered = canonical(Object.fromEntries(values.filter(([, value]) => value !== undefined)))
    return new Question(`${this.#material}${ordered}`, this.#policy.guard, request, this.#callerPart)
  }

  #tagsOf(data: unknown, variables: Readonly<Record<string, unknown>>): string[] {
    const tags = new Set<string>([subgraphTag(this.#name), ...this.#typeTags])
    this.#selection.visitObjects(data, this.#query, (type, values) => {
      for (const possible of this.#facts.possibleTypes(type)) {
        addObjectTags(this.#facts, possible, values, tags)
        for (const format of this.#facts.type(possible)?.tags ?? []) {
          const tag =
            this.#subgraph.isOwn(format) && tags.size < mostTags ? filled(format, { key: values }) : undefined
          if (tag !== undefined) tags.add(tag)
        }
      }
    })
    for (const { facts: field, args } of this.#selection.rootFields(this.#query, variables))
      for (const format of field.tags) {
        const tag = this.#subgraph.isOwn(format) ? filled(format, { args }) : undefined
        if (tag !== undefined) tags.add(tag)
      }
    return [...tags]
  }

  #termsFor(result: SubgraphResult): Terms | undefined {
    return termsOf(result.answered, {
      rules: this.#rules,
      policy: this.#policy,
      varies: this.#callerPart !== undefined,
      now: this.#answers.now(),
    })
  }

  /** The fetched response, or a stale one instead. */
  #finish(
    result: SubgraphResult,
    question: Question,
    held: Found | undefined,
    variables: Readonly<Record<string, unknown>>,
    request: GatewayRequest,
    change: number,
    note: FetchNote | undefined | 'refresh',
  ): SubgraphResult {
    const count = (outcome: CacheResult): void => {
      if (note === 'refresh') return
      this.#answers.count(this.#name, outcome)
      if (outcome === 'miss' || outcome === 'hit') note?.count('missing')
      else note?.count(outcome, 1, held?.ageMs)
    }
    if (held !== undefined && result.answered?.status === 304 && isEmpty(result)) {
      const said = this.#termsFor({ answered: withHeld(result.answered, held) })
      const terms = said && { ...said, by: narrower(said.by, held.by) }
      if (terms !== undefined) {
        this.#answers.keep(question, terms, held.entry.json, held.entry.tags, change)
        notePart(request, terms.freshMs, terms.by !== undefined || this.#policy.guard !== undefined)
      } else notePart(request, 0, true)
      count('revalidated')
      return resultOf(held.entry.json)
    }
    if (result.errors !== undefined && standsIn(held, result, this.#rules.quotaMs)) {
      count('stale')
      notePart(request, 0, true)
      return resultOf(held.entry.json)
    }
    count('miss')
    const terms = canKeep(result) ? this.#termsFor(result) : undefined
    if (terms === undefined) {
      notePart(request, 0, true)
      return result
    }
    const json = jsonOf(result)
    this.#answers.keep(question, terms, json, this.#tagsOf(parseExactly(json), variables), change)
    notePart(
      request,
      freshLeft(terms, this.#answers.now()),
      terms.by !== undefined || this.#policy.guard !== undefined,
    )
    return result
  }

  #ask(
    question: Question,
    held: Found | undefined,
    variables: Readonly<Record<string, unknown>>,
    request: GatewayRequest,
    note: FetchNote | undefined | 'refresh',
  ): SubgraphResult | Promise<SubgraphResult> {
    const change = this.#answers.changes.last()
    const result = this.#send(variables, request, conditionsFor(held))
    return result instanceof Promise
      ? result.then((late) => this.#finish(late, question, held, variables, request, change, note))
      : this.#finish(result, question, held, variables, request, change, note)
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
