/** Compares the response, and the requests to subgraphs, with what a case allows. */
import { isDeepStrictEqual } from 'node:util'
import type { Answer } from './delivery.ts'
import type { Journal } from './subgraphs.ts'
import type { Case, Expectation, Json, Step, Verdict } from './types.ts'

export interface Finding {
  readonly verdict: Verdict
  readonly why: string
}

const pass: Finding = { verdict: 'pass', why: '' }
const marker = /SECRET-[\w-]+/g

/** In every graph, values that only some callers may see begin with this marker. */
const secretsIn = (text: string): string[] => [...new Set(text.match(marker) ?? [])]

const isRefused = (expect: Expectation): boolean => !('whole' in expect)

interface AnsweredError {
  readonly path?: unknown
  readonly extensions?: unknown
}

function errorsOf({ json }: Answer): readonly AnsweredError[] {
  const errors = json?.errors
  return Array.isArray(errors) ? errors.filter((each) => typeof each === 'object' && each !== null) : []
}

/**
 * The place of an error: its path without positions in lists, which some gateways write as `@` and some omit. Hive
 * Router has no path in a refusal, and names the place in `extensions.affectedPath`, as text.
 */
function placeOf({ path, extensions }: AnsweredError): string {
  const { affectedPath } = (extensions ?? {}) as { readonly affectedPath?: unknown }
  if (path === undefined && typeof affectedPath === 'string') return affectedPath.replace(/\[\d+\]|\.@/g, '')
  if (!Array.isArray(path)) return ''
  return path.filter((part) => typeof part === 'string' && part !== '@').join('.')
}

const short = (value: unknown): string => JSON.stringify(value)?.slice(0, 300) ?? 'nothing'

/** How many events every subscription of the graphs has. */
const eventCount = 2

/** Judges one step by its response alone, or by each of its events. */
export function judgeAnswers(one: Case, step: Step, answers: readonly Answer[]): readonly Finding[] {
  const findings = answers.map((answer) => judgeAnswer(one, step, answer))
  if (one.road === 'live' && 'whole' in step.expect && answers.length !== eventCount)
    findings.push({
      verdict: 'shut',
      why: `${answers.length} of ${eventCount} events came: ${answers[0]?.text.slice(0, 200) ?? 'nothing'}`,
    })
  return findings
}

function judgeAnswer({ neverSays = [] }: Case, { expect }: Step, answer: Answer): Finding {
  const allowed = new Set(
    'whole' in expect
      ? secretsIn(JSON.stringify(expect.whole))
      : 'data' in expect
        ? secretsIn(JSON.stringify(expect.data))
        : [],
  )
  const leaked = secretsIn(answer.text).filter((value) => !allowed.has(value))
  if (leaked.length > 0) return { verdict: 'leak', why: `the answer holds ${leaked.join(', ')}` }
  const said = neverSays.filter((text) => answer.text.includes(text))
  if (said.length > 0) return { verdict: 'leak', why: `the answer names ${said.join(', ')}` }
  if (answer.json === undefined)
    return { verdict: 'broken', why: `status ${answer.status}, no JSON: ${answer.text.slice(0, 200)}` }
  if ('any' in expect) return pass
  const data: Json = answer.json.data ?? null
  const errors = errorsOf(answer)
  if ('whole' in expect) {
    if (errors.length > 0) return { verdict: 'shut', why: `who may see it is refused: ${short(errors)}` }
    return isDeepStrictEqual(data, expect.whole)
      ? pass
      : { verdict: 'answer', why: `expected ${short(expect.whole)}, got ${short(data)}` }
  }
  const isQuiet = 'data' in expect && expect.quiet === true
  if (errors.length === 0 && !isQuiet)
    return { verdict: 'answer', why: `nothing says that something is refused: ${short(data)}` }
  if ('invalid' in expect) {
    return data === null
      ? pass
      : { verdict: 'answer', why: `a document of another schema has data: ${short(data)}` }
  }
  // The whole operation is refused.
  if (data === null && errors.length > 0) return pass
  if (!expect.data.some((each) => isDeepStrictEqual(data, each)))
    return { verdict: 'answer', why: `expected ${expect.data.map(short).join(' or ')}, got ${short(data)}` }
  const paths = errors.map(placeOf)
  const missing = expect.at.filter(
    (at) =>
      !paths.some((path) => path !== '' && (`${at}.`.startsWith(`${path}.`) || path.startsWith(`${at}.`))),
  )
  return missing.length === 0
    ? pass
    : {
        verdict: 'path',
        why: `no error is at ${missing.join(', ')}, but at ${paths.map((path) => path || 'no path').join(', ')}`,
      }
}

/** Judges one step, or several that were sent at the same time, by the requests to subgraphs. */
export function judgeCalls({ never }: Case, steps: readonly Step[], { fields }: Journal): Finding {
  if (!steps.every(({ expect }) => isRefused(expect))) return pass
  const asked = never.filter((field) => fields.has(field))
  return asked.length === 0
    ? pass
    : { verdict: 'asked', why: `a subgraph was asked for ${asked.join(', ')}, which this caller may not see` }
}
