/** The MCP server: its tools, the size of answers, and what agents may change and use. */
import { z } from 'zod'
import { lazily, section } from '../settings/index.ts'
import { file, flag, integer, oneOf } from '../settings/kinds.ts'

const counted = (what: string) =>
  z
    .strictObject({
      minute: integer(1, 1e9).optional().describe('Each minute.'),
      day: integer(1, 1e9).optional().describe('Each day.'),
    })
    .optional()
    .describe(what)

export const mcp = lazily(() =>
  section(
    {
      enabled: flag
        .optional()
        .describe(
          'Whether agents are served at `/mcp`, by the Model Context Protocol; by default only if every service is the sandbox.',
        )
        .meta({ env: 'TESSERA_MCP' }),
      operations: file('a folder')
        .optional()
        .describe(
          'A folder of GraphQL documents (.graphql, .gql): each query and mutation in them is a tool. By default ours, if the graph is ours. If only trusted operations are executed, those are the tools.',
        ),
      maxListTokens: integer(200, 1_000_000)
        .default(3_000)
        .describe(
          'The most tokens (of 4 bytes) that the definitions of all tools take. If they take more, three tools find, describe and run operations instead of one tool for each.',
        ),
      maxTokens: integer(500, 1_000_000)
        .default(8_000)
        .describe('The most tokens (of 4 bytes) of an answer. A caller may ask for less, never for more.'),
      structured: flag.default(false).describe('Whether answers are also sent as structuredContent.'),
      reads: z
        .array(z.string().min(1).max(200))
        .max(100)
        .default(['detectIntent'])
        .describe(
          'Root fields of mutations that count as reads, because they change nothing lasting; `detectIntent` by default.',
        ),
      changes: oneOf('off', 'confirm', 'free')
        .default('off')
        .describe(
          'Whether agents may change anything: not at all, once a change is confirmed, or at once. `off` by default.',
        ),
      budgets: z
        .strictObject({
          units: counted('Quota units.'),
          calls: counted('Operations.'),
          tokens: counted('Tokens of answers, of 4 bytes.'),
          changes: counted('Operations that change something.'),
        })
        .prefault({})
        .describe(
          'How much each grant (a user with the program that acts for it) may use, as token buckets; anything by default.',
        ),
    },
    'Access for agents, at `/mcp`: [agents](agents.md).',
  ),
)

/** The settings of the endpoint that is open, except those from which its budgets are made. */
export type McpSettings = Readonly<Omit<z.output<typeof mcp>, 'enabled' | 'budgets'>>
