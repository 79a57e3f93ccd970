/**
 * Random operations over a graph of four subgraphs with everything in it, against the oracle: the same graph as
 * one schema under graphql-js. Fields fail, are null if they may be and if they must not, and stand in
 * lists of lists.
 */
import fc from 'fast-check'
import { execute, parse, printSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { campaignSize } from '../../support/campaign-size.ts'
import { errorLines, executableSchema, startFederation, ways } from '../../support/federation.ts'
import { keepForFile } from '../../support/keep.ts'
import { randomOperation } from '../../support/random-operation.ts'
import { oracle, services, values } from './kitchen-sink.ts'

describe.each(ways)('random operations %s', async (way) => {
  const federation = keepForFile(await startFederation(services, { way, oracle }))

  test('answer what one schema would answer, with no error that it would not have', async () => {
    const { apiSchema } = federation.supergraph
    // If nothing must be there, every failure is reported: no null takes a sibling's error along.
    const lenient = executableSchema(printSchema(apiSchema).replace(/!(?=[^)]*$|\s*$)/gm, ''), oracle)
    await fc.assert(
      fc.asyncProperty(
        fc.record({ seed: fc.integer({ min: 0 }), size: fc.integer({ min: 1, max: 40 }) }),
        async (options) => {
          const operation = randomOperation(apiSchema, { ...options, values })
          fc.pre(operation !== undefined)
          const { query, variables } = operation!
          const [actual, expected] = [
            await federation.run(query, variables),
            await federation.expected(query, variables),
          ]
          expect(actual.data, query).toEqual(expected.data)
          expect(actual.errors.length > 0, query).toBe(expected.errors.length > 0)
          const possible = await execute({
            schema: lenient,
            document: parse(query),
            variableValues: variables,
          })
          const all = new Set(errorLines(possible.errors ?? []))
          for (const error of errorLines(actual.errors)) expect(all, query).toContain(error)
        },
      ),
      { numRuns: campaignSize(way === 'over HTTP' ? 60 : 250) },
    )
  })
})
