/**
 * Answers in pieces over random supergraphs: put together they are what graphql-js 17 makes of the same operation over
 * one schema, nulls that go up and all; nothing comes twice. `TESSERA_TEST_OPERATIONS` sets how many operations,
 * `TESSERA_TEST_SEED` draws others.
 */
import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { testGatewayRequest } from '../../../support/federation.ts'
import { askOracle17, isRight, mergeEngine, withDirectives } from '../../../support/incremental.ts'
import {
  canonical,
  planFaults,
  randomGraph,
  randomOperationOf,
  rightAnswer,
  startTrial,
} from '../../../support/random-federation/index.ts'
import { testSeed } from '../../../support/seed.ts'

const total = Math.round(Number(process.env.TESSERA_TEST_OPERATIONS ?? 10_000) * 0.1)
const perGraph = 40

test.each(['none', 'throws'] as const)(
  `faults: %s, seed ${testSeed}`,
  async (kind) => {
    let operations = 0
    let pieces = 0
    for (let number = 0; operations < total; number++) {
      const graph = randomGraph(testSeed + number)
      await using trial = await startTrial(graph)
      for (let turn = 0; turn < perGraph && operations < total; turn++) {
        const seed = (testSeed + number) * 10_000 + turn
        const drawn = randomOperationOf(graph, seed)
        const query = drawn && withDirectives(graph.supergraph.apiSchema, drawn.query, seed)
        if (drawn === undefined || query === undefined) continue
        operations += 1
        const faults = kind === 'none' ? {} : planFaults(graph, kind, turn)
        trial.setFaults(faults)
        const document = parse(query)
        const { executeInPieces } = trial.engine.compile({ document })
        if (executeInPieces === undefined) continue
        const told = `Graph seed ${testSeed + number}, operation ${turn}: ${query}\n${JSON.stringify(drawn.variables)}`
        const got = await executeInPieces(drawn.variables, testGatewayRequest())
          .then(mergeEngine)
          .catch((error) => {
            throw new Error(`${told}\n${error.stack}`)
          })
        const right = await askOracle17(graph.world, graph.supergraph.apiSchema, document, drawn.variables, {
          faults,
        })
        const plain = await rightAnswer(graph, parse(drawn.query), drawn.variables, faults)
        if (!isRight(got.data, right.data, plain.data))
          expect(canonical(got.data), told).toBe(canonical(right.data))
        expect(got.errors.length > 0, `${told}\n${JSON.stringify([got.errors, right.errors])}`).toBe(
          right.errors.length > 0,
        )
        pieces += got.pieces
      }
    }
    console.log(`${operations} operations in ${pieces} pieces`)
    expect(pieces).toBeGreaterThan(operations / 2)
  },
  3_600_000,
)
