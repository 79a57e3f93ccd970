/** How each subgraph is reached over HTTP. */
import { z } from 'zod'
import { milliseconds, subgraphName, subgraphUrl } from './fields.ts'

const traffic = {
  timeoutMs: milliseconds(1, 600_000)
    .optional()
    .describe('The most that one fetch may take; TESSERA_UPSTREAM_TIMEOUT_MS unless said.'),
}

export const trafficSection = z
  .strictObject({
    all: z.strictObject(traffic).optional().describe('For every subgraph that does not say otherwise.'),
    subgraphs: z
      .record(
        subgraphName,
        z.strictObject({
          url: subgraphUrl
            .optional()
            .describe('Where it is reached, in place of the address in the supergraph.'),
          ...traffic,
        }),
      )
      .optional()
      .describe('By the name of the subgraph.'),
  })
  .prefault({})
  .describe('How subgraphs are reached over HTTP.')
