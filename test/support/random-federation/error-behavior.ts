/**
 * Random operations in which fields fail, by each `onError`. The right answer by `NULL` is that of graphql-js over a
 * schema in which everything may be null; by `HALT` it is the whole answer, or one error.
 */
import { type GraphQLOutputType, isListType, isNonNullType, parse } from 'graphql'
import { createEngine, responseBody } from '../../../engine/index.ts'
import type { SubgraphResult, Transport } from '../../../engine/subgraphs/index.ts'
import type { ErrorBehavior } from '../../../shared/graphql/error-behavior.ts'
import { testGatewayRequest } from '../federation.ts'
import type { RandomOperation } from '../random-operation.ts'
import { textOf } from '../sent-json.ts'
import type { RandomGraph } from './graph.ts'
import {
  type Answer,
  answerFrom,
  lacksOnly,
  lenientAnswer,
  type RightAnswer,
  rightAnswer,
  type TrialFaults,
} from './judge.ts'
import type { Path } from './places.ts'
import { canonical } from './values.ts'

export interface BehaviorTrial {
  /** What is wrong with the answer; undefined if nothing is. */
  run(operation: RandomOperation, faults: TrialFaults, onError: ErrorBehavior): Promise<string | undefined>
}

/** `areTold`: whether the subgraphs take `onError`, and do as it says. */
export function startBehaviorTrial(graph: RandomGraph, areTold: boolean): BehaviorTrial {
  let faults: TrialFaults = {}
  const transports = new Map<string, Transport>()
  for (const subgraph of graph.subgraphs.values())
    transports.set(subgraph.name, {
      name: subgraph.name,
      prepare({ text }) {
        const document = parse(text)
        return async (variables, { onError }) => {
          const context = { faults, ...(areTold ? { onError } : {}) }
          const result = await subgraph.execute(document, asSent(variables), context)
          return asSent(result) as SubgraphResult
        }
      },
      close: () => Promise.resolve(),
    })
  const engine = createEngine({ supergraph: graph.supergraph, ...{ transports, absentNodes: false } })

  return {
    async run(operation, given, onError) {
      faults = given
      const document = parse(operation.query)
      const { variables } = operation
      const compiled = engine.compile({ document })
      const request = () => testGatewayRequest({ timeoutMs: 3_600_000, onError })
      const got = answerFrom(await compiled.execute(variables, request()))
      const body = textOf(responseBody(await compiled.executeToJson(variables, request())))
      const json = answerFrom(JSON.parse(body) as Answer)
      if (canonical(json) !== canonical(asSent(got))) return `differs as JSON: ${body}`
      const strict = await rightAnswer(graph, document, variables, faults)
      if (onError === 'HALT') return judgeHalted(got, strict)
      const lenient = await lenientAnswer(graph, document, variables, faults)
      return judgeKept(got, { strict, lenient, areTold })
    },
  }
}

const asSent = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

function judgeHalted(got: Answer, strict: RightAnswer): string | undefined {
  const shown = JSON.stringify(got)
  if (strict.errors.length === 0) return same(got.data, strict.data) ? undefined : `other data: ${shown}`
  return got.data === null && got.errors.length === 1 ? undefined : `not halted: ${shown}`
}

interface Kept {
  readonly strict: RightAnswer
  readonly lenient: RightAnswer
  readonly areTold: boolean
}

function judgeKept(got: Answer, { strict, lenient, areTold }: Kept): string | undefined {
  const shown = `${JSON.stringify(got)}\nexpected ${JSON.stringify({ data: lenient.data, errors: lenient.errors })}`
  const isRight = areTold ? same(got.data, lenient.data) : lacksOnly(got.data, lenient.data)
  if (!isRight) return `other data: ${shown}`
  if (got.errors.some(({ message }) => message.startsWith('There were more errors'))) return undefined
  const places = got.errors.map(({ path = [] }) => path.join('.'))
  if (new Set(places).size < places.length && areTold) return `two errors in one place: ${shown}`
  const forbidden = nullsIn(got.data, []).filter((path) => mustNotBeNull(strict, path))
  const unsaid = forbidden.find((path) => !places.includes(path.join('.')))
  if (unsaid !== undefined) return `no error at ${unsaid.join('.')}: ${shown}`
  if (!areTold) return undefined
  const expected = lenient.errors.map(({ path = [] }) => path.join('.'))
  return same([...places].sort(), expected.sort()) ? undefined : `other errors: ${shown}`
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

function nullsIn(value: unknown, path: Path): Path[] {
  if (value === null) return [path]
  if (typeof value !== 'object') return []
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value)
  return [...entries].flatMap(([key, each]) => nullsIn(each, [...path, key]))
}

function mustNotBeNull({ met }: RightAnswer, path: Path): boolean {
  const last = path.findLastIndex((step) => typeof step === 'string')
  let type: GraphQLOutputType | undefined = met.get(path.slice(0, last + 1).join('.'))?.type
  for (let left = path.length - last - 1; left > 0; left -= 1) {
    const nullable: GraphQLOutputType | undefined = isNonNullType(type) ? type.ofType : type
    type = isListType(nullable) ? nullable.ofType : undefined
  }
  return isNonNullType(type)
}
