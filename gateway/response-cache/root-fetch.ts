/** Root fields of one subgraph, whose response is stored as a whole. */

import type { GatewayRequest } from '../../engine/request.ts'
import type { SubgraphFetch, SubgraphOperation, SubgraphResult } from '../../engine/subgraphs/index.ts'
import { parseExactly } from '../../shared/json/exact-number.ts'
import { whenReady } from '../../shared/runtime/is-promise.ts'
import { decisionFor, type Found, notePart, standsIn } from './answers.ts'
import {
  addOwnTags,
  type CachedSubgraph,
  canKeep,
  conditionsFor,
  freshLeft,
  jsonOf,
  termsFor,
} from './cached-subgraph.ts'
import { canonical, Question } from './question.ts'
import { type CountLookUps, cacheReportOf } from './report.ts'
import type { Selection } from './selection.ts'
import { addObjectTags, mostTags, rootTag, subgraphTag, typeTag } from './tags.ts'
import { narrower } from './terms.ts'
import type { VariantsBy } from './types.ts'

export function cacheRootFields(
  subgraph: CachedSubgraph,
  operation: SubgraphOperation,
  selection: Selection,
  send: SubgraphFetch,
): SubgraphFetch {
  const cache = new RootFieldCache(subgraph, operation, selection, send)
  return (variables, request) => cache.answer(variables, request)
}

/** What is fetched because no stored response is used. */
interface AskedFetch {
  readonly question: Question
  readonly held: Found | undefined
  readonly variables: Readonly<Record<string, unknown>>
  readonly request: GatewayRequest
  readonly count: CountLookUps
}

class RootFieldCache {
  readonly #subgraph: CachedSubgraph
  readonly #operation: SubgraphOperation
  readonly #selection: Selection
  readonly #send: SubgraphFetch
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
    this.#policy = selection.policy(
      this.#subgraph.facts.root.query,
      true,
      (this.#subgraph.rules.freshMs ?? 0) / 1000,
    )
    this.#by = this.#policy.isPrivate || this.#policy.guard?.perCaller === true ? 'caller' : undefined
    this.#typeTags = [...selection.objectTypes()].flatMap((type) => [
      rootTag(this.#subgraph.name, type),
      typeTag(type),
    ])
    this.#material = `${subgraph.identity}\nroot\n${selection.text}\n`
  }

  answer(
    variables: Readonly<Record<string, unknown>>,
    request: GatewayRequest,
  ): SubgraphResult | Promise<SubgraphResult> {
    const question = this.#questionOf(variables, request)
    const report = cacheReportOf(request)
    const count = this.#subgraph.counting(report)
    // Fetches of a mutation after its change bypass the cache.
    const kept =
      request.notBefore === Number.POSITIVE_INFINITY
        ? undefined
        : this.#subgraph.answers.find(question, this.#by)
    return whenReady(kept, (held) => {
      const use = decisionFor(held, request, this.#subgraph.rules.quotaMs)
      if (use === undefined || held === undefined) {
        if (report?.isDry !== true) return this.#ask({ question, held, variables, request, count })
        if (conditionsFor(held) === undefined) count('miss')
        else count('revalidated', 1, held?.ageMs)
        // The stored response may still be valid: the later fetches follow from it.
        return held === undefined ? unknown : resultOf(held.entry.json)
      }
      count(use === 'fresh' ? 'hit' : 'stale', 1, held.ageMs)
      if (report?.isDry === true) return resultOf(held.entry.json)
      if (use === 'stale, asked anew')
        this.#subgraph.refresh(question.key, request, (anew) =>
          this.#ask({
            ...{ question: this.#questionOf(variables, anew), held, variables },
            ...{ request: anew, count: uncounted },
          }),
        )
      const left = use === 'fresh' ? held.entry.freshMs - held.ageMs : 0
      notePart(request, left, held.by !== undefined || this.#policy.guard !== undefined)
      return resultOf(held.entry.json)
    })
  }

  #questionOf(variables: Readonly<Record<string, unknown>>, request: GatewayRequest): Question {
    const values = this.#operation.variableNames.map((each) => [each, variables[each]] as const)
    const ordered = canonical(Object.fromEntries(values.filter(([, value]) => value !== undefined)))
    return new Question(`${this.#material}${ordered}`, this.#policy.guard, request, this.#subgraph.callerPart)
  }

  #tagsOf(data: unknown, variables: Readonly<Record<string, unknown>>): string[] {
    const tags = new Set<string>([subgraphTag(this.#subgraph.name), ...this.#typeTags])
    this.#selection.visitObjects(data, this.#subgraph.facts.root.query, (type, values) => {
      for (const possible of this.#subgraph.facts.possibleTypes(type)) {
        addObjectTags(this.#subgraph.facts, possible, values, tags)
        addOwnTags(
          this.#subgraph,
          this.#subgraph.facts.type(possible)?.tags ?? [],
          { key: values },
          tags,
          mostTags,
        )
      }
    })
    for (const { facts, args } of this.#selection.rootFields(this.#subgraph.facts.root.query, variables))
      addOwnTags(this.#subgraph, facts.tags, { args }, tags)
    return [...tags]
  }

  /** The fetched response, or a stale one instead. */
  #finish(
    result: SubgraphResult,
    { question, held, variables, request, count }: AskedFetch,
    change: number,
  ): SubgraphResult {
    if (held !== undefined && result.answered?.status === 304 && isEmpty(result)) {
      const said = termsFor(this.#subgraph, this.#policy, {
        answered: withHeld(result.answered, held),
      })
      const terms = said && { ...said, by: narrower(said.by, held.by) }
      if (terms !== undefined) {
        this.#subgraph.answers.keep(question, terms, held.entry.json, held.entry.tags, change)
        notePart(
          request,
          freshLeft(terms, this.#subgraph.answers),
          terms.by !== undefined || this.#policy.guard !== undefined,
        )
      } else notePart(request, 0, true)
      count('revalidated', 1, held.ageMs)
      return resultOf(held.entry.json)
    }
    if (result.errors !== undefined && standsIn(held, result, this.#subgraph.rules.quotaMs)) {
      count('stale', 1, held.ageMs)
      notePart(request, 0, true)
      return resultOf(held.entry.json)
    }
    count('miss')
    const terms = canKeep(result) ? termsFor(this.#subgraph, this.#policy, result) : undefined
    if (terms === undefined) {
      notePart(request, 0, true)
      return result
    }
    const json = jsonOf(result.data)
    this.#subgraph.answers.keep(question, terms, json, this.#tagsOf(parseExactly(json), variables), change)
    notePart(
      request,
      freshLeft(terms, this.#subgraph.answers),
      terms.by !== undefined || this.#policy.guard !== undefined,
    )
    return result
  }

  #ask(asked: AskedFetch): SubgraphResult | Promise<SubgraphResult> {
    const change = this.#subgraph.answers.changes.last()
    return whenReady(this.#send(asked.variables, asked.request, conditionsFor(asked.held)), (result) =>
      this.#finish(result, asked, change),
    )
  }
}

const uncounted: CountLookUps = () => {}

const unknown: SubgraphResult = { data: null }

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

const resultOf = (json: string): SubgraphResult => ({
  data: parseExactly(json) as Record<string, unknown>,
})

/** Whether it has neither data nor errors, like a response that says that nothing has changed. */
const isEmpty = ({ data, errors }: SubgraphResult): boolean => data === undefined && errors === undefined
