/** Operations over foreign subgraphs: none of their fields calls one of the product's services. */
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { createEstimator } from '../../../../gateway/costs/estimate/index.ts'
import { serviceCalls } from '../../../../subgraphs/index.ts'
import { normalisedOf } from '../../../support/normalised.ts'

const query = 'query ($first: Int) { films(first: $first) { id } }'

test('an operation of a graph without fields of any service costs nothing, and is estimated once for all variables', () => {
  const schema = buildSchema('type Query { films(first: Int): [Film] } type Film { id: ID }')
  const estimate = createEstimator({ schema, services: serviceCalls })
  const few = estimate(normalisedOf(schema, query), { first: 2 })
  expect(few).toMatchObject({ units: 0, calls: {}, operations: [], isRepeatable: true })
  expect(few.variablesRead.size).toBe(0)
})

test('an operation that has an entity of a service is estimated as in any other graph', () => {
  const schema = buildSchema(
    'type Query { films(first: Int): [Film] } type Film { id: ID } type Video { id: ID }',
  )
  const estimate = createEstimator({ schema, services: serviceCalls })
  expect([...estimate(normalisedOf(schema, query), { first: 2 }).variablesRead]).toEqual(['first'])
})
