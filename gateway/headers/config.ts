/** Header rules: which headers of a client go to subgraphs, and which of their responses go back. */
import { z } from 'zod'
import { lazily, section } from '../settings/index.ts'
import { environmentName, headerName, matching, oneOf, subgraphName, text } from '../settings/kinds.ts'
import { isHeaderValue, isOwnOfRequests, isOwnOfResponses, whyKept } from './names.ts'

const name = headerName

const value = text(
  'the text of a header: without line breaks, and no longer than 16384 characters',
  isHeaderValue,
)

const pattern = matching(
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/,
  'a pattern of names, in which * stands for any characters, such as x-b3-*',
)

const choice = lazily(() => z.union([z.strictObject({ named: name }), z.strictObject({ matching: pattern })]))

const requestRule = lazily(() =>
  z.union([
    z.strictObject({
      propagate: z
        .union([
          z.strictObject({
            named: name,
            rename: name.optional().describe('The name under which it goes on.'),
            default: value.optional().describe('Sent if the client sends none.'),
          }),
          z.strictObject({ matching: pattern.describe('Names in which * stands for any characters.') }),
        ])
        .describe('Sends a header of the client on.'),
    }),
    z.strictObject({
      insert: z
        .union([
          z.strictObject({ name, value }),
          z.strictObject({ name, claim: z.string().min(1).describe('A claim of the caller’s token.') }),
          // It is a value by the time that anything reads it (`gateway/config/read.ts`).
          z.strictObject({ name, environment: environmentName }),
        ])
        .describe('Sends a header of its own.'),
    }),
    z.strictObject({ remove: choice.describe('Takes back what the rules before it send.') }),
  ]),
)

const answerRule = lazily(() =>
  z.strictObject({
    propagate: z.strictObject({
      named: name,
      rename: name.optional(),
      default: value.optional(),
      algorithm: oneOf('append', 'first', 'last')
        .optional()
        .describe('If several answers have it: all, the first, or the last (the default).'),
    }),
  }),
)

const rules = lazily(() =>
  z.strictObject({
    request: z.array(requestRule).max(200).optional().describe('From the client to subgraphs.'),
    answer: z.array(answerRule).max(200).optional().describe('From subgraphs’ answers to the client.'),
  }),
)
export type HeaderRules = z.output<typeof rules>
export type RequestRule = z.output<typeof requestRule>
export type ResponseRule = z.output<typeof answerRule>
/** One of the names, or those that match a pattern. Case does not matter. */
export type HeaderChoice = z.output<typeof choice>

/** What rules must not do; `subgraph` is undefined for rules of all. */
function checkRules(
  { request = [], answer = [] }: HeaderRules,
  subgraph: string | undefined,
  fault: (path: (string | number)[], message: string) => void,
): void {
  const check = (
    path: (string | number)[],
    header: string | undefined,
    isOwn: (name: string) => boolean,
  ): void => {
    const found = header === undefined ? undefined : whyKept(header.toLowerCase(), isOwn, subgraph)
    if (found !== undefined) fault(path, found)
  }
  for (const [at, rule] of request.entries()) {
    if ('insert' in rule) check(['request', at, 'insert', 'name'], rule.insert.name, isOwnOfRequests)
    else if ('propagate' in rule && 'named' in rule.propagate) {
      check(['request', at, 'propagate', 'named'], rule.propagate.named, isOwnOfRequests)
      check(['request', at, 'propagate', 'rename'], rule.propagate.rename, isOwnOfRequests)
    }
  }
  for (const [at, { propagate }] of answer.entries()) {
    check(['answer', at, 'propagate', 'named'], propagate.named, isOwnOfResponses)
    check(['answer', at, 'propagate', 'rename'], propagate.rename, isOwnOfResponses)
  }
}

export const headers = lazily(() =>
  section(
    {
      all: rules.optional().describe('For every subgraph, before its own rules.'),
      subgraphs: z.record(subgraphName, rules).optional().describe('By the name of the subgraph.'),
    },
    'Which headers pass between clients and subgraphs. Nothing is forwarded that no rule names.',
  )
    .superRefine((given, context) => {
      const faultAt =
        (...before: (string | number)[]) =>
        (path: (string | number)[], message: string): void =>
          context.addIssue({ code: 'custom', path: [...before, ...path], message })
      if (given.all !== undefined) checkRules(given.all, undefined, faultAt('all'))
      for (const [subgraph, own] of Object.entries(given.subgraphs ?? {}))
        checkRules(own, subgraph, faultAt('subgraphs', subgraph))
    })
    .meta({ reload: true }),
)
