/** The response that is written in one pass, against the one that is completed and then printed. */
import fc from 'fast-check'
import { type DocumentNode, type OperationDefinitionNode, parse } from 'graphql'
import { expect, test } from 'vitest'
import { gatherRaw } from '../../../../../contract/json/raw.ts'
import { ErrorList } from '../../../../../gateway/engine/error-list.ts'
import type { Execution } from '../../../../../gateway/engine/execution.ts'
import { createResponseShape } from '../../../../../gateway/engine/respond/index.ts'
import { testGatewayRequest } from '../../../../support/federation.ts'
import { randomness, randomOperation } from '../../../../support/random-operation.ts'
import { textOf } from '../../../../support/sent-json.ts'
import { answer, asked, schema } from './random-answers.ts'

const request = testGatewayRequest()
const executionOf = (data: Execution['data'], variables: Execution['variables']): Execution => ({
  data,
  errors: new ErrorList(),
  variables,
  request,
  failedRoots: undefined,
  nulledPlaces: undefined,
  failedObjects: undefined,
  absent: undefined,
  unparsed: undefined,
})

function shapeOf(document: DocumentNode) {
  const operation = document.definitions[0] as OperationDefinitionNode
  const shape = createResponseShape({ schema, document, operation, refusals: [], introspect: () => null })
  // The code is made for operations that come again.
  for (let turn = 0; turn < 4; turn++) shape.write(executionOf({}, {}))
  return shape
}

const wrongValues = [null, undefined, 1.5, 'text', '', true, {}, [], 2 ** 31, Number.NaN, 'PURPLE', [[null]]]

/** The same data with one value of it exchanged for another, somewhere. */
function spoilt(data: Execution['data'], seed: number): Execution['data'] {
  const random = randomness(seed)
  const copy = structuredClone(data)
  const places: [Record<string, unknown>, string][] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value)) {
      places.push([value as Record<string, unknown>, key])
      visit((value as Record<string, unknown>)[key])
    }
  }
  visit(copy)
  const place = places[Math.floor(random() * places.length)]
  if (place !== undefined) place[0][place[1]] = wrongValues[Math.floor(random() * wrongValues.length)]
  return copy
}

const example = fc.record({ seed: fc.nat(), size: fc.integer({ min: 1, max: 40 }), answers: fc.nat() })

test('what is written is what would be completed and printed, and what is not as the schema says is left to that', () => {
  let written = 0
  let left = 0
  fc.assert(
    fc.property(example, fc.boolean(), ({ seed, size, answers }, spoils) => {
      const operation = randomOperation(schema, { seed, size })
      fc.pre(operation !== undefined)
      const { query, variables } = operation!
      fc.pre(!/__schema|__type\b/.test(query))
      const document = parse(query)
      const shape = shapeOf(document)
      const whole = JSON.parse(answer(asked(document), variables, answers)).data as Execution['data']
      const data = spoils ? spoilt(whole, answers) : whole
      const text = gatherRaw(() => shape.write(executionOf(structuredClone(data), variables)))
      const plain = executionOf(structuredClone(data), variables)
      const completed = shape.complete(plain)
      if (text === undefined) {
        left += 1
        expect(spoils, query).toBe(true)
        return
      }
      written += 1
      expect(plain.errors.all(), query).toEqual([])
      expect(Buffer.from(textOf(text)).toString(), query).toBe(JSON.stringify(completed))
    }),
    { numRuns: 800 },
  )
  expect(written).toBeGreaterThan(400)
  expect(left).toBeGreaterThan(20)
})
