/**
 * Many operations over many random graphs. The first thing that goes wrong ends it, made small and printed with its
 * seeds. What was run is a function of the seed, so that a failure can be had again.
 */
import { parse, print } from 'graphql'
import { variantsOf } from '../operation-variants.ts'
import type { RandomOperation } from '../random-operation.ts'
import { type FaultKind, planFaults } from './faults.ts'
import { openGraph, type RandomGraph, randomGraph, randomOperationOf } from './graph.ts'
import type { Finding } from './judge.ts'
import { printCase, shrink } from './shrink.ts'
import { type AroundTransports, startTrial, type Trial } from './trial.ts'

export interface Campaign {
  readonly seed: number
  /** How many operations in all, and how many over one graph. */
  readonly operations: number
  readonly perGraph: number
  readonly way?: 'in process' | 'over HTTP'
  readonly faults?: FaultKind
  /** What stands around the transports. */
  readonly around?: AroundTransports
}

/** Rejects if the engine is wrong; resolves to how many operations it was right on, and over how many graphs. */
export async function runCampaign(campaign: Campaign): Promise<{ operations: number; graphs: number }> {
  const { seed, operations, perGraph, way, faults, around } = campaign
  let done = 0
  let graphs = 0
  while (done < operations) {
    const graphSeed = seed + graphs++
    const graph = randomGraph(graphSeed)
    await using trial = await startTrial(graph, way, around)
    for (let i = 0; i < perGraph && done < operations; i++) {
      const operation = writtenOtherwise(graph, randomOperationOf(graph, graphSeed * 10_000 + i), i)
      if (operation === undefined) continue
      done += 1
      const judge = (on: Trial, tried: RandomOperation): Promise<Finding | undefined> =>
        on.run(tried, faults === undefined ? {} : planFaults(graph, faults, i))
      const finding = await judge(trial, operation)
      if (finding !== undefined)
        throw await reported({ graph, graphSeed, operation, turn: i, finding }, campaign, judge)
    }
  }
  return { operations: done, graphs }
}

/** Every third operation comes as one of the six variants. */
function writtenOtherwise(
  { supergraph }: RandomGraph,
  operation: RandomOperation | undefined,
  turn: number,
): RandomOperation | undefined {
  if (operation === undefined || turn % 3 !== 0) return operation
  const variants = variantsOf(supergraph.apiSchema, parse(operation.query), operation.variables)
  const variant = variants[(turn / 3) % variants.length]
  return variant === undefined
    ? operation
    : { query: print(variant.document), variables: { ...variant.variables } }
}

interface Found {
  readonly graph: RandomGraph
  readonly graphSeed: number
  readonly operation: RandomOperation
  readonly turn: number
  readonly finding: Finding
}

async function reported(
  { graph, graphSeed, operation, turn, finding }: Found,
  { way, faults, around }: Campaign,
  judge: (trial: Trial, operation: RandomOperation) => Promise<Finding | undefined>,
): Promise<Error> {
  const over = async (tried: RandomGraph, other: RandomOperation): Promise<Finding | undefined> => {
    await using trial = await startTrial(tried, way, around)
    // Without faults it must be right: a smaller graph that is wrong by itself would hide what was found.
    if (faults !== undefined && (await trial.run(other)) !== undefined) return undefined
    return judge(trial, other)
  }
  const found = { services: graph.services, worldSeed: graphSeed, operation }
  let small = found
  let seen: Finding | undefined
  try {
    small = await shrink(found, over, 800)
    const again = openGraph(small.services, graphSeed)
    if (again !== undefined) seen = await over(again, small.operation)
  } catch {
    // It does not happen again over a fresh engine, or happens without faults as well: it is reported as it was found.
  }
  const what = `Graph seed ${graphSeed}, operation ${turn}${faults === undefined ? '' : `, faults: ${faults}`}.`
  return new Error(`${what}\n${printCase(small, seen ?? finding)}`)
}
