/** What clients see of subgraphs' errors. */
import { z } from 'zod'
import { subgraphName, yesOrNo } from './fields.ts'

const rules = z.strictObject({
  messages: yesOrNo
    .optional()
    .describe('Whether clients see what the subgraph wrote as the message; false by default.'),
  extensions: z
    .union([
      z.boolean({ error: 'expected true, false or a list of keys' }),
      z.array(z.string().min(1).max(200)).max(200),
    ])
    .optional()
    .describe(
      'Of its `extensions`, all, none, or those with these keys. `code` and `service` are always there.',
    ),
  takesOnError: yesOrNo
    .optional()
    .describe(
      'Whether the subgraph takes the request parameter `onError`, so that it is told what its clients asked for; false by default, true of our own services.',
    ),
})

export const errorsSection = z
  .strictObject({
    all: rules.optional().describe('For every subgraph that does not say otherwise.'),
    subgraphs: z.record(subgraphName, rules).optional().describe('By the name of the subgraph.'),
  })
  .prefault({})
  .describe(
    'What clients see of the errors of subgraphs, and what these are told. What was written goes to the log at level debug.',
  )
