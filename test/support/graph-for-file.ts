import { beforeEach } from 'vitest'
import { type Graph, type GraphOptions, startGraph } from './graph.ts'
import { keepForFile } from './keep.ts'

/** Our graph over a sandbox for all tests of a file, each of which finds the sandbox as it was at first. */
export async function graphForFile(options?: GraphOptions): Promise<Graph> {
  const graph = keepForFile(await startGraph(options))
  beforeEach(() => graph.sandbox.reset())
  return graph
}
