/**
 * The queries that the product comes with, to be sent to the sandbox with `synthetic` ids: those of the examples,
 * of the explorer, of the bench, and one for each operation of a service. Each is one document with one operation.
 */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  type SelectionSetNode,
  separateOperations,
  visit,
} from 'graphql'
import { operations as benchOperations } from '../../bench/operations.ts'
import { sandboxExamples } from '../../explorer/examples/sandbox.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { operations } from './operations.ts'

export interface OwnQuery {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** What the examples leave to whoever runs them. */
const exampleVariables = { videoId: sampleVideos.own[0], after: null, first: 2 }

function exampleQueries(): OwnQuery[] {
  const root = fileURLToPath(new URL('../../examples', import.meta.url))
  return globSync('**/*.graphql', { cwd: root })
    .sort()
    .flatMap((file) => queriesIn(parse(readFileSync(`${root}/${file}`, 'utf8')), exampleVariables))
}

/** Queries alone: a change made twice answers otherwise the second time. */
function queriesIn(document: DocumentNode, variables: Readonly<Record<string, unknown>>): OwnQuery[] {
  // A file can hold the schema of another graph.
  if (document.definitions.some((definition) => !isExecutable(definition.kind))) return []
  return Object.values(separateOperations(document))
    .filter(({ definitions }) => definitions.every(isQuery))
    .map((one) => ({ query: print(one), variables }))
}

const isExecutable = (kind: Kind): boolean =>
  kind === Kind.OPERATION_DEFINITION || kind === Kind.FRAGMENT_DEFINITION

const isQuery = (definition: DocumentNode['definitions'][number]): boolean =>
  definition.kind !== Kind.OPERATION_DEFINITION ||
  (definition as OperationDefinitionNode).operation === OperationTypeNode.QUERY

/** All of them, at this moment. What tells of the units spent so far is left out: it changes with every call. */
export function ownQueries(now: number): readonly OwnQuery[] {
  const all = [
    ...exampleQueries(),
    ...sandboxExamples(now).flatMap(({ document, variables = {} }) => queriesIn(parse(document), variables)),
    ...benchOperations.flatMap(({ text, variables }) => queriesIn(parse(text), benchVariables(variables(1)))),
    ...operations.flatMap(({ ask, variables = {} }) => queriesIn(parse(ask), variables)),
  ]
  return all.filter(({ query }) => !query.includes('mediaQuota'))
}

/** Of long ranges fewer samples: it is no test of speed. */
function benchVariables(variables: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return 'step' in variables ? { ...variables, step: '1500s' } : variables
}

export const typenamePlaces = [
  '__typename first',
  '__typename last',
  't: __typename first',
  't: __typename last',
]

/** The query as it stands, or with `__typename` in each selection set, as caching clients add it. */
export function withTypenames({ query, variables }: OwnQuery, place: string | undefined): OwnQuery {
  if (place === undefined) return { query, variables }
  const [field = '', alias] = place
    .replace(/ (first|last)$/, '')
    .split(': ')
    .reverse()
  const typename: FieldNode = {
    kind: Kind.FIELD,
    name: { kind: Kind.NAME, value: field },
    ...(alias === undefined ? {} : { alias: { kind: Kind.NAME, value: alias } as const }),
  }
  const document = visit(parse(query), {
    SelectionSet: {
      leave: (set): SelectionSetNode => ({
        ...set,
        selections: place.endsWith('first') ? [typename, ...set.selections] : [...set.selections, typename],
      }),
    },
  })
  return { query: print(document), variables }
}
