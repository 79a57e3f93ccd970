/**
 * The headers of subgraphs' responses that the client gets, by rules: collected while a request runs, read when it
 * ends.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import type { HeaderRules, ResponseRule } from './config.ts'
import { isHeaderValue, isOwnOfResponses, namedByConnection, whyKept } from './names.ts'

export type ResponseHeaders = NonNullable<ReturnType<typeof createResponseHeaders>>

/** The longest header of an operation with hundreds of fetches. */
const mostCharacters = 8_192
const mostCookies = 50

type Gathered = Map<string, string[]>

/** Undefined if there are no rules. */
export function createResponseHeaders(
  all: HeaderRules | undefined,
  subgraphs: Readonly<Record<string, HeaderRules>>,
) {
  if (![all, ...Object.values(subgraphs)].some((rules) => rules?.answer?.length)) return undefined
  const gathered = new WeakMap<object, Gathered>()

  return {
    /** Notes a response of the subgraph; undefined if no rule needs it. */
    noteFor(subgraph: string) {
      const own = Object.hasOwn(subgraphs, subgraph) ? subgraphs[subgraph]?.answer : undefined
      const rules = [
        ...(all?.answer ?? []).filter((rule) => mayPass(rule, undefined)),
        ...(own ?? []).filter((rule) => mayPass(rule, subgraph)),
      ]
      if (rules.length === 0) return undefined
      return (request: object, headers: IncomingHttpHeaders): void => {
        const of = getOrInsert(gathered, request, () => new Map())
        const dropped = namedByConnection(headers.connection)
        for (const { propagate } of rules) {
          const from = propagate.named.toLowerCase()
          const given = dropped?.has(from) === true ? undefined : headers[from]
          const values = given === undefined ? propagate.default : given
          if (values === undefined) continue
          take(of, (propagate.rename ?? propagate.named).toLowerCase(), [values].flat(), propagate.algorithm)
        }
      }
    },
    /** The headers for the client, names and values in turn; undefined if there are none. */
    headFor(request: object): readonly string[] | undefined {
      const of = gathered.get(request)
      if (of === undefined) return undefined
      return [...of].flatMap(([name, values]) =>
        name === 'set-cookie' ? values.flatMap((value) => [name, value]) : [name, values.join(', ')],
      )
    },
  }
}

/** `subgraph`: the one that the rule is for. Cookies pass only by such a rule. */
function mayPass({ propagate }: ResponseRule, subgraph: string | undefined): boolean {
  return [propagate.named, propagate.rename ?? propagate.named].every(
    (name) => whyKept(name.toLowerCase(), isOwnOfResponses, subgraph) === undefined,
  )
}

function take(
  values: Gathered,
  name: string,
  given: readonly string[],
  algorithm: ResponseRule['propagate']['algorithm'] = 'last',
): void {
  const sound = given.filter(isHeaderValue)
  const before = values.get(name)
  if (sound.length === 0) return
  if (before === undefined || algorithm === 'last') values.set(name, sound.slice(0, mostCookies))
  else if (algorithm === 'append') {
    let length = before.reduce((sum, value) => sum + value.length + 2, 0)
    for (const value of sound) {
      length += value.length + 2
      if (length > mostCharacters || before.length >= mostCookies) return
      before.push(value)
    }
  }
}
