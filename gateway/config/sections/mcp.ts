/** The door for agents: which tools they have, how large answers may be, what they may change and use. */
import { z } from 'zod'
import { count, yesOrNo } from './fields.ts'

export const mcpSection = z
  .strictObject({
    operations: z
      .string({ error: 'expected the path of a folder' })
      .min(1, 'expected the path of a folder')
      .optional()
      .describe(
        'A folder of GraphQL documents (.graphql, .gql): each query and mutation in them is a tool. Ours unless said, where the graph is ours. Where only trusted operations are executed, those are the tools.',
      ),
    maxListTokens: count(200, 1_000_000)
      .default(3_000)
      .describe(
        'The most tokens (of 4 bytes) that the definitions of all tools take; where they take more, three tools find, describe and run operations in place of one for each.',
      ),
    maxTokens: count(500, 1_000_000)
      .default(8_000)
      .describe('The most tokens (of 4 bytes) of an answer. A caller may ask for less, never for more.'),
    structured: yesOrNo
      .default(false)
      .describe('Whether answers are there a second time, as structuredContent.'),
    reads: z
      .array(z.string().min(1).max(200))
      .max(100)
      .default(['detectIntent'])
      .describe(
        'Root fields of mutations that count as reads, since they change nothing that lasts; `detectIntent` unless said.',
      ),
  })
  .prefault({})
  .describe('The door for agents, at /mcp.')
