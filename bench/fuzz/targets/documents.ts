/** GraphQL from clients: requests, documents within the limits, their plans, variables. */
import { readFileSync } from 'node:fs'
import { normaliseOver } from '../../../engine/operation/normalised.ts'
import { compileVariables } from '../../../engine/operation/variables.ts'
import { createPlanner, PlanError, printPlan } from '../../../engine/planner/index.ts'
import { loadSupergraph } from '../../../engine/supergraph/index.ts'
import { sandboxExamples } from '../../../explorer/examples/sandbox.ts'
import { compileValueCount, type Limits } from '../../../gateway/costs/limits/index.ts'
import { paramsFrom, paramsFromUrl, readBody } from '../../../gateway/graphql-http/negotiation.ts'
import { createDocumentReader, createDocumentStore } from '../../../gateway/pipeline/persisted/index.ts'
import { createTextReader } from '../../../gateway/pipeline/read-document.ts'
import { memoryStores } from '../../../gateway/stores/index.ts'
import { Broken, targetsOf } from '../target.ts'
import { allTyped, isTyped } from '../typed.ts'

/** The default limits. */
const limits: Limits = {
  ...{ tokens: 5000, nesting: 64, depth: 20, aliases: 100, rootFields: 50, directives: 100 },
  ...{ fields: 10_000, listItems: 500, values: 100_000 },
}
const supergraph = loadSupergraph(
  readFileSync(new URL('../../../schema/supergraph.graphql', import.meta.url), 'utf8'),
)
const schema = supergraph.apiSchema
const planner = createPlanner(supergraph)
const readText = createTextReader({ schema, limits, introspection: true })
const examples = sandboxExamples(Date.UTC(2026, 10, 20))

/** The document and its variables: JSON after the last line that begins with `#`. */
function partsOf(input: Buffer): {
  readonly text: string
  readonly variables: Readonly<Record<string, unknown>>
} {
  const whole = input.toString('utf8')
  const at = whole.lastIndexOf('\n#')
  let variables: unknown
  try {
    variables = JSON.parse(at < 0 ? '{}' : whole.slice(at + 2))
  } catch {
    variables = {}
  }
  const isRecord = typeof variables === 'object' && variables !== null && !Array.isArray(variables)
  return { text: whole, variables: isRecord ? (variables as Record<string, unknown>) : {} }
}

export const targets = targetsOf(import.meta.url, [
  {
    name: 'document',
    smoke: 32,
    covers: [
      'gateway/costs/limits',
      'gateway/pipeline/read-document.ts',
      'engine/planner',
      'engine/operation/variables.ts',
    ],
    seeds: [
      ...examples.map(({ document, variables = {} }) => `${document}\n#${JSON.stringify(variables)}`),
      '{ __schema { types { name fields { name } } } }',
      'query Q($a: Boolean!) { ...F @skip(if: $a) a: video(videoId: "1") { ... on Video @defer(label: "x") { videoId } } } fragment F on Query { __typename }\n#{"a":true}',
    ],
    allows: (error) => isTyped(error) || error instanceof PlanError,
    run(input) {
      const { text, variables } = partsOf(input)
      const reading = readText(text)
      let step = reading.next()
      while (step.done !== true) step = reading.next()
      const document = step.value
      if (Array.isArray(document)) {
        if (document.length === 0) throw new Broken('refused without a reason')
        allTyped(document)
        return
      }
      if (!('definitions' in document)) return
      for (const definition of document.definitions) {
        if (definition.kind !== 'OperationDefinition') continue
        const coerced = compileVariables(schema, definition.variableDefinitions)(variables)
        allTyped(coerced.errors ?? [])
        const normalised = normaliseOver(schema, document, definition)
        const tooMany = compileValueCount(schema, normalised, { values: -1 })?.(coerced.variables ?? {})
        if (!(Number(tooMany?.extensions.found) >= 0)) throw new Broken('a number of values that is none')
        printPlan(planner.plan({ operation: normalised }))
      }
    },
  },
  {
    name: 'request',
    covers: ['gateway/graphql-http/negotiation.ts', 'gateway/pipeline/persisted/index.ts'],
    seeds: [
      '{"query":"{ a }","operationName":null,"variables":{"a":1},"extensions":{"persistedQuery":{"version":1,"sha256Hash":"0"}}}',
      '[{"query":"{ a }"}]',
      '/graphql?query=%7B+a+%7D&variables={"a":1}&extensions=%7B%7D&operationName=',
    ],
    allows: isTyped,
    async run(input) {
      const text = input.toString('utf8')
      const params = text.startsWith('/') ? paramsFromUrl(text) : paramsFrom(readBody(input))
      const reader = createDocumentReader({ kind: 'automatic', store: createDocumentStore(memoryStores) })
      reader.known(params)
      await reader.read(params)
      await reader.keep(params)
    },
  },
])
