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

interface ForwardedRequest {
  header(name: string): string | undefined
  /** In lower case. */
  headerNames(): readonly string[]
  readonly identity: Identity | undefined
}

export type Forwarding = NonNullable<ReturnType<typeof compileForwarding>>

/** The headers by the rules so far. */
interface Forwarded {
  readonly sent: Record<string, string>
  /** Only their texts, defaults and claims, whatever the client sends. An inserted claim sends nothing else. */
  readonly own: Map<string, string>
}

type Apply = (
  headers: Forwarded,
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
  const rules = [
    ...ofAll.map((rule) => compileRule(rule, undefined)),
    ...ofOne.map((rule) => compileRule(rule, subgraph)),
  ]
  const callerHeaders = new Set(written.flatMap(sentBy))
  const isKnown = !callerHeaders.has('*') && !written.some(readsClaim)
  return {
    /** Undefined if `headersFor` depends on more than headers by name: on patterns, or on claims. */
    callerHeaders: isKnown ? [...callerHeaders] : undefined,
    /**
     * The headers of a request to the subgraph by the rules, in lower case. The response can depend on these, the
     * operation and the proof of the gateway only. Requests that share a response have equal ones.
     */
    headersFor(request: ForwardedRequest): Record<string, string> {
      const headers: Forwarded = { sent: {}, own: new Map() }
      const connection = namedByConnection(request.header('connection'))
      for (const apply of rules) apply(headers, request, connection)
      return headers.sent
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

function compileRule(rule: RequestRule, subgraph: string | undefined): Apply {
  if ('remove' in rule) {
    const matches = matcherOf(rule.remove)
    return ({ sent, own }) => {
      for (const name of Object.keys(sent)) if (matches(name)) delete sent[name]
      for (const name of own.keys()) if (matches(name)) own.delete(name)
    }
  }
  if ('insert' in rule) {
    const { insert } = rule
    const name = insert.name.toLowerCase()
    if (!mayPass(name, subgraph) || 'environment' in insert) return nothing
    return ({ sent, own }, { identity }) => {
      const text = 'claim' in insert ? claimText(identity?.claims[insert.claim]) : insert.value
      if (text !== undefined && isHeaderValue(text)) own.set(name, text)
      const value = own.get(name)
      if (value !== undefined) sent[name] = value
      // What a rule before it sends is the client's word, which the subgraph would take for the claim.
      else if ('claim' in insert) delete sent[name]
    }
  }
  const { propagate } = rule
  if ('matching' in propagate) {
    const matches = matcherOf(propagate)
    return ({ sent }, request, connection) => {
      for (const name of request.headerNames()) {
        // A pattern names no credential, and no pseudo-header of HTTP/2.
        if (!matches(name) || !isHeaderName(name) || mayBeCredential(name) || !mayPass(name, undefined))
          continue
        if (connection?.has(name) === true) continue
        const value = request.header(name)
        if (value !== undefined && isHeaderValue(value)) sent[name] = value
      }
    }
  }
  const from = propagate.named.toLowerCase()
  const to = (propagate.rename ?? propagate.named).toLowerCase()
  if (!mayPass(from, subgraph) || !mayPass(to, subgraph)) return nothing
  return ({ sent, own }, request, connection) => {
    const given = connection?.has(from) === true ? undefined : request.header(from)
    const value = given ?? propagate.default
    if (value !== undefined && isHeaderValue(value)) sent[to] = value
    if (propagate.default !== undefined && isHeaderValue(propagate.default)) own.set(to, propagate.default)
  }
}

const nothing: Apply = () => {}

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
