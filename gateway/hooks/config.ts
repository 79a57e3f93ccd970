/**
 * Functions of the gateway's operator, and the operator's program that is called over HTTP at stages of each
 * request.
 */
import { z } from 'zod'
import { isHeaderValue, isHopByHop, isOwnOfRequests } from '../headers/index.ts'
import { lazily, section } from '../settings/index.ts'
import {
  headerName as anyHeader,
  environmentName,
  exactUrl,
  file,
  flag,
  integer,
  milliseconds,
  oneOf,
  subgraphName,
  text as word,
} from '../settings/kinds.ts'

export const hooks = lazily(() =>
  section(
    {
      file: file('a file of hooks')
        .optional()
        .describe('File of hooks, in TypeScript or JavaScript: [hooks](hooks.md).')
        .meta({ env: 'TESSERA_HOOKS' }),
      timeoutMs: milliseconds(1, 600_000).default(1000).describe('The most that one hook may take.'),
    },
    'Functions of the operator.',
  ).meta({ reload: true }),
)

const headerName = anyHeader.transform((name) => name.toLowerCase())

const onFailure = oneOf('closed', 'open')
  .optional()
  .describe('What happens if it fails: `closed` ends the request, `open` continues without it.')

const headers = z
  .array(headerName)
  .max(100)
  .optional()
  .describe('The headers of the client that are sent, by name; none by default.')
const identity = flag
  .optional()
  .describe("Whether the caller's subject and scopes are sent, and whether the caller is authenticated.")
const claims = z
  .array(z.string().min(1))
  .max(100)
  .optional()
  .describe('The claims of the token that are sent.')
const text = flag.optional().describe('Whether the document is sent.')
const variables = flag.optional().describe('Whether the variables are sent.')
const data = flag.optional().describe('Whether the data are sent.')
const errors = flag.optional().describe('Whether the errors are sent.')
const subgraphs = z
  .array(subgraphName)
  .optional()
  .describe('The subgraphs for which it is called; all by default.')

const common = { onFailure, headers }
const caller = { ...common, identity, claims }

const coprocessorStages = lazily(() =>
  z.strictObject({
    request: z.strictObject(common).optional().describe('A request has come.'),
    identity: z.strictObject(caller).optional().describe('The token was checked.'),
    operation: z
      .strictObject({ ...caller, text, variables })
      .optional()
      .describe('The operation is valid, and nothing was executed.'),
    policies: z
      .strictObject(caller)
      .optional()
      .describe('Decides which policies (`@policy`) the caller meets.'),
    labels: z.strictObject(caller).optional().describe('Decides which labels of `@override` hold.'),
    subgraphRequest: z
      .strictObject({ ...caller, text, variables, subgraphs })
      .optional()
      .describe('A subgraph is about to be asked.'),
    subgraphAnswer: z
      .strictObject({
        ...caller,
        text,
        variables,
        data,
        errors,
        answerHeaders: z
          .array(headerName)
          .max(100)
          .optional()
          .describe('The headers of its answer that are sent.'),
        subgraphs,
      })
      .optional()
      .describe('A subgraph has answered.'),
    answer: z
      .strictObject({ ...caller, text, data, errors })
      .optional()
      .describe('The answer is about to leave.'),
  }),
)

export const coprocessor = lazily(() =>
  z
    .strictObject({
      url: exactUrl.describe('The address to which requests are sent, by POST.'),
      timeoutMs: milliseconds(1, 600_000).default(1000).describe('The most that one request may take.'),
      maxBytes: integer(1_000, 100_000_000)
        .default(1_000_000)
        .describe('The most bytes of a request, and of a response.'),
      connections: integer(1, 10_000).default(64).describe('The most connections, which are kept alive.'),
      onFailure: onFailure.describe(
        'What happens if it fails: `closed`, the default, ends the request, `open` goes on without it.',
      ),
      send: z
        .array(
          z.union([
            z.strictObject({
              name: headerName,
              value: word('the text of a header', isHeaderValue),
            }),
            z.strictObject({ name: headerName, environment: environmentName }),
          ]),
        )
        .max(20)
        .refine(
          (all) => all.every(({ name }) => !isHopByHop(name) && !isOwnOfRequests(name)),
          'expected headers that the gateway does not write itself',
        )
        .default([])
        .describe('Headers of each request to it, such as a secret by which the gateway proves itself.'),
      stages: coprocessorStages.describe('The stages at which it is called, and what it is sent.'),
    })
    .optional()
    .describe(
      'A program that is called over HTTP at stages of each request: [coprocessor](hooks.md#a-coprocessor).',
    )
    .meta({ reload: true }),
)
