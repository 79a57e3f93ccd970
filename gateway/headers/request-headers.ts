/**
 * The headers of a request to a subgraph, by the rules for all subgraphs and then those for this one. Only headers that
 * a rule names are forwarded.
 */
import type { Identity } from '../../shared/identity.ts'
import type { HeaderChoice, HeaderRules, RequestRule } from './config.ts'
import {
  isHeaderName,
  isHeaderValue,
  isOwnOfRequests,
  mayBeCredential,
  namedByConnection,
  whyKept,
} from './names.ts'

/** The parts of a request that rules read. */
interface ForwardedRequest {
  header(name: string): string | undefined
  /** In lower case. */
  headerNames(): readonly string[]
  readonly identity: Identity | undefined
}

export type Forwarding = NonNullable<ReturnType<typeof compileForwarding>>

type Apply = (
  headers: Record<string, string>,
  request: ForwardedRequest,
  connection: ReadonlySet<string> | undefined,
) => void

/** Undefined if no rule sends anything. `subgraph`: its name in the supergraph. */
export function compileForwarding(
  subgraph: string,
  all: HeaderRules | undefined,
  own: HeaderRules | undefined,
) {
  const [ofAll, ofOne] = [all?.request ?? [], own?.request ?? []]
  const written = [...ofAll, ...ofOne]
  if (written.length === 0) return undefined
  const rules = written.map((rule, index) =>
    compileRule(rule, index < ofAll.length ? undefined : subgraph, written.slice(0, index)),
  )
  const callerHeaders = new Set(written.flatMap(sentBy))
  const isKnown = !callerHeaders.has('*') && !written.some(readsClaim)
  return {
    /**
     * The headers of the caller on which `headersFor` depends, in lower case; undefined if it depends on more: on
     * patterns, or on claims.
     */
    callerHeaders: isKnown ? [...callerHeaders] : undefined,
    /**
     * The headers of a request to the subgraph by the rules, in lower case. The response can depend on these, the
     * operation and the proof of the gateway only. Requests that share a response have equal ones.
     */
    headersFor(request: ForwardedRequest): Record<string, string> {
      const headers: Record<string, string> = {}
      const connection = namedByConnection(request.header('connection'))
      for (const apply of rules) apply(headers, request, connection)
      return headers
    },
  }
}

/** The client's headers that a rule sends, in lower case; `*` stands for those of a pattern. */
const sentBy = (rule: RequestRule): string[] =>
  'propagate' in rule ? ['named' in rule.propagate ? rule.propagate.named.toLowerCase() : '*'] : []

const readsClaim = (rule: RequestRule): boolean => 'insert' in rule && 'claim' in rule.insert

/** The same of all rules, whatever their subgraph. */
export function headersSent({
  all,
  subgraphs = {},
}: {
  readonly all?: HeaderRules | undefined
  readonly subgraphs?: Readonly<Record<string, HeaderRules>> | undefined
}): readonly string[] {
  return [all, ...Object.values(subgraphs)].flatMap((each) => (each?.request ?? []).flatMap(sentBy))
}

/** Whether a header may go to a subgraph; `subgraph`: the one that the rule is for, undefined for rules of all. */
const mayPass = (name: string, subgraph: string | undefined): boolean =>
  whyKept(name, isOwnOfRequests, subgraph) === undefined

function compileRule(rule: RequestRule, subgraph: string | undefined, before: readonly RequestRule[]): Apply {
  if ('remove' in rule) {
    const matches = matcherOf(rule.remove)
    return (headers) => {
      for (const name of Object.keys(headers)) if (matches(name)) delete headers[name]
    }
  }
  if ('insert' in rule) {
    const { insert } = rule
    const name = insert.name.toLowerCase()
    if (!mayPass(name, subgraph) || 'environment' in insert) return nothing
    if ('value' in insert)
      return (headers) => {
        if (isHeaderValue(insert.value)) headers[name] = insert.value
      }
    // What a rule before it sends may be the client's word, which the subgraph would take for the claim.
    const ownText = ownTextOf([...before, rule], name)
    return (headers, { identity }) => {
      const text = ownText(identity)
      if (text === undefined) delete headers[name]
      else headers[name] = text
    }
  }
  const { propagate } = rule
  if ('matching' in propagate) {
    const matches = matcherOf(propagate)
    return (headers, request, connection) => {
      for (const name of request.headerNames()) {
        // A pattern names no credential, and no pseudo-header of HTTP/2.
        if (!matches(name) || !isHeaderName(name) || mayBeCredential(name) || !mayPass(name, undefined))
          continue
        if (connection?.has(name) === true) continue
        const value = request.header(name)
        if (value !== undefined && isHeaderValue(value)) headers[name] = value
      }
    }
  }
  const from = propagate.named.toLowerCase()
  const to = (propagate.rename ?? propagate.named).toLowerCase()
  if (!mayPass(from, subgraph) || !mayPass(to, subgraph)) return nothing
  return (headers, request, connection) => {
    const given = connection?.has(from) === true ? undefined : request.header(from)
    const value = given ?? propagate.default
    if (value !== undefined && isHeaderValue(value)) headers[to] = value
  }
}

const nothing: Apply = () => {}

type OwnText = (identity: Identity | undefined) => string | undefined

/** What rules by themselves send under a name, whatever the client sends: the last text, default or claim. */
function ownTextOf(rules: readonly RequestRule[], name: string): OwnText {
  return rules.reduce<OwnText>(
    (before, rule) => {
      if ('remove' in rule) return matcherOf(rule.remove)(name) ? () => undefined : before
      const sent = 'insert' in rule ? insertedBy(rule.insert, name) : defaultOf(rule.propagate, name)
      if (sent === undefined) return before
      return (identity) => {
        const text = sent(identity)
        return text !== undefined && isHeaderValue(text) ? text : before(identity)
      }
    },
    () => undefined,
  )
}

type Insert = Extract<RequestRule, { insert: unknown }>['insert']
type Propagate = Extract<RequestRule, { propagate: unknown }>['propagate']

function insertedBy(insert: Insert, name: string): OwnText | undefined {
  if (insert.name.toLowerCase() !== name) return undefined
  if ('claim' in insert) return (identity) => claimText(identity?.claims[insert.claim])
  return 'value' in insert ? () => insert.value : undefined
}

function defaultOf(propagate: Propagate, name: string): OwnText | undefined {
  if (!('named' in propagate)) return undefined
  const { named, rename = named, default: text } = propagate
  return rename.toLowerCase() === name ? () => text : undefined
}

/** A claim as a header; a value that is not plain is not sent. */
function claimText(claim: unknown): string | undefined {
  if (typeof claim === 'string') return claim
  // JSON has rounded an integer of more digits: it may name somebody else.
  if (Number.isInteger(claim) && !Number.isSafeInteger(claim)) return undefined
  if (typeof claim === 'number' || typeof claim === 'boolean') return String(claim)
  if (Array.isArray(claim) && claim.every((each) => typeof each === 'string')) return claim.join(',')
  return undefined
}

/** By lower-case names. The time is linear in the name for each part of the pattern. */
function matcherOf(choice: HeaderChoice): (name: string) => boolean {
  if ('named' in choice) {
    const named = choice.named.toLowerCase()
    return (name) => name === named
  }
  const parts = choice.matching.toLowerCase().split('*')
  const [first = '', ...rest] = parts
  if (rest.length === 0) return (name) => name === first
  const last = rest.pop() ?? ''
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
      return false
    let at = first.length
    for (const part of rest) {
      const found = name.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return at <= name.length - last.length
  }
}
