/**
 * A stage for the authorizer without an engine: little supergraphs, and an answer put together from what was
 * allowed to run and what was refused, by graphql-js alone.
 */
import {
  buildASTSchema,
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
  Kind,
  parse,
  print,
  type ResponsePath,
  validate,
  visit,
} from 'graphql'
import { expect } from 'vitest'
import {
  type Authorizer,
  type AuthorizerOptions,
  createAuthorizer,
  type Filtered,
  type Grant,
  type OperationRequirements,
} from '../../../../gateway/auth/authorize/index.ts'
import type { Identity } from '../../../../shared/identity.ts'
import { documentOf, normalisedOf } from '../../../support/normalised.ts'

const head = `
  schema
    @link(url: "https://specs.apollo.dev/link/v1.0")
    @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION)
    @link(url: "https://specs.apollo.dev/authenticated/v0.1", for: SECURITY)
    @link(url: "https://specs.apollo.dev/requiresScopes/v0.1", for: SECURITY)
    @link(url: "https://specs.apollo.dev/policy/v0.1", for: SECURITY)
`

export interface Stage {
  readonly supergraph: DocumentNode
  readonly schema: GraphQLSchema
  readonly authorizer: Authorizer
}

/** `types` as a supergraph; `header` instead of the usual `schema @link…`. */
export function stage(types: string, options: AuthorizerOptions = {}, header: string = head): Stage {
  const mutation = /\btype Mutation\b/.test(types) ? 'mutation: Mutation' : ''
  const supergraph = parse(`${header} { query: Query ${mutation} }\n${types}`)
  const schema = buildASTSchema(supergraph, { assumeValid: true, assumeValidSDL: true })
  return { supergraph, schema, authorizer: createAuthorizer(supergraph, schema, options) }
}

export function caller(...scopes: string[]): Identity {
  return { subject: 'someone', scopes: new Set(scopes), claims: {}, authenticated: true }
}

export interface Outcome extends Filtered {
  readonly grant: Grant
  /** What may run, printed; '' for nothing. */
  readonly text: string
  /** `Type.field` of what is refused; `> below` where it lies under a field of which nothing is left. */
  readonly refused: string[]
}

/** What the authorizer finds out about an operation. */
export function analyze(
  { schema, authorizer }: Stage,
  given: string | DocumentNode,
  operationName?: string,
): OperationRequirements {
  return authorizer.analyze(normalisedOf(schema, given, operationName))
}

/** What is left of an operation for a caller, if its rules have no policies. */
export function filteredFor(on: Stage, given: string | DocumentNode, identity: Identity): Filtered {
  const requirements = analyze(on, given)
  return requirements.filter(requirements.grant(identity) as Grant)
}

/** Filters one operation, and checks what must be true of every answer. */
export function filter(on: Stage, query: string, identity: Identity, operationName?: string): Outcome {
  const document = parse(query)
  expect(validate(on.schema, document)).toEqual([])
  const requirements = analyze(on, document, operationName)
  const grant = requirements.grant(identity)
  if (grant instanceof Promise) throw new Error('a policy was asked for')
  return outcomeOf(on, document, requirements.filter(grant), grant, operationName)
}

export function outcomeOf(
  on: Stage,
  document: DocumentNode,
  filtered: Filtered,
  grant: Grant,
  operationName?: string,
): Outcome {
  const allowed = filtered.allowed === null ? null : documentOf(filtered.allowed)
  if (allowed !== null) expect(validate(on.schema, allowed)).toEqual([])
  const refused = namesOf(on, document, filtered, operationName)
  return { ...filtered, grant, text: allowed === null ? '' : print(allowed), refused: refused.sort() }
}

/** `Type.field` of what is refused, with what lies below it. */
export function namesOf(
  { schema }: Stage,
  document: DocumentNode,
  { refusals }: Pick<Filtered, 'refusals'>,
  operationName?: string,
): string[] {
  const names = normalisedOf(schema, document, operationName).fields.map(({ name }) => name)
  return refusals.map(
    ({ field, parentType, below }) =>
      `${parentType}.${names[field]}${below === undefined ? '' : ` > ${below.join('.')}`}`,
  )
}

/** A printed operation in one line, for comparing by eye. */
export const line = (text: string): string => text.replace(/\s+/g, ' ').trim()

const typeKey = 'zz_type'

/** Asks every object for its type, under a key of its own, so that abstract types can be told apart. */
function withTypes(document: DocumentNode): DocumentNode {
  return visit(document, {
    SelectionSet(node) {
      return {
        ...node,
        selections: [
          ...node.selections,
          {
            kind: Kind.FIELD,
            alias: { kind: Kind.NAME, value: typeKey },
            name: { kind: Kind.NAME, value: '__typename' },
          },
        ],
      }
    },
  })
}

export const pathOf = (path: ResponsePath | undefined): (string | number)[] =>
  path === undefined ? [] : [...pathOf(path.prev), path.key]

export interface Answer {
  readonly data: unknown
  readonly errors: { path: readonly (string | number)[]; code: unknown }[]
}

export function answerFrom(result: unknown): Answer {
  const { data, errors = [] } = result as { data?: unknown; errors?: readonly GraphQLError[] }
  return {
    data: JSON.parse(JSON.stringify(data ?? null)),
    errors: errors
      .map((error) => ({ path: error.path ?? [], code: error.extensions.code }))
      .sort((a, b) => (String(a.path) < String(b.path) ? -1 : 1)),
  }
}

export type Reading = 'every' | 'some'

/**
 * The answer to the original document: data from running what was allowed, null with an error if a refusal
 * stands. `reading` is what makes a response key refused: every place that asks for it is, or some place is.
 * The authorizer's refusals must come out the same either way.
 */
export function answer(
  on: Stage,
  document: DocumentNode,
  { allowed, refusals }: Pick<Filtered, 'allowed' | 'refusals'>,
  resolve: GraphQLFieldResolver<unknown, unknown>,
  reading: Reading = 'every',
  variableValues: Readonly<Record<string, unknown>> = {},
): Answer {
  const ran =
    allowed === null
      ? {}
      : (execute({
          schema: on.schema,
          document: withTypes(documentOf(allowed)),
          variableValues,
          fieldResolver: resolve,
          typeResolver: (value) => {
            const { type, __typename } = value as { type?: string; __typename?: string }
            return type ?? __typename
          },
        }) as { data?: unknown })
  const ofField = Map.groupBy(refusals, ({ field }) => field)
  const byNode = new Map(
    normalisedOf(on.schema, document).fields.map(({ id, nodes: [node] }) => [node, ofField.get(id)]),
  )
  const errors: GraphQLError[] = []
  const fieldResolver = (source: unknown, _: unknown, __: unknown, info: GraphQLResolveInfo): unknown => {
    const found = info.fieldNodes.map((node) =>
      (byNode.get(node) ?? []).filter(
        ({ parentType }) => parentType === '*' || parentType === info.parentType.name,
      ),
    )
    const refused =
      reading === 'every' ? found.every((list) => list.length > 0) : found.some((list) => list.length > 0)
    if (!refused) return (source as Record<string, unknown> | undefined)?.[info.path.key]
    const [first, ...more] = found.flat().map(
      (refusal) =>
        new GraphQLError(refusal.message, {
          path: [...pathOf(info.path), ...(refusal.below ?? [])],
          extensions: { ...refusal.extensions },
        }),
    )
    errors.push(...more)
    throw first
  }
  const result = execute({
    schema: on.schema,
    document,
    variableValues,
    rootValue: (ran as { data?: unknown }).data ?? {},
    fieldResolver,
    typeResolver: (value) => (value as Record<string, string>)[typeKey],
  })
  const { data, errors: all } = answerFrom(result)
  const seen = new Map<string, Answer['errors'][number]>()
  for (const error of [...all, ...answerFrom({ errors }).errors]) seen.set(JSON.stringify(error.path), error)
  return { data, errors: [...seen.values()].sort((a, b) => (String(a.path) < String(b.path) ? -1 : 1)) }
}

export function hash(text: string): number {
  let sum = 7
  for (let index = 0; index < text.length; index++) sum = (sum * 31 + text.charCodeAt(index)) >>> 0
  return sum
}

/** Data that depends on the place alone: the same field at the same place is the same, run after run. */
export function resolverOf(schema: GraphQLSchema): GraphQLFieldResolver<unknown, unknown> {
  return (_, __, ___, info) => {
    const place = pathOf(info.path).join('.')
    const value = (type: unknown, at: string): unknown => {
      const { ofType } = type as { ofType?: unknown }
      const text = String(type)
      if (text.endsWith('!')) return value(ofType, at)
      if (text.startsWith('[')) return [0, 1, 2].map((index) => value(ofType, `${at}.${index}`))
      const named = schema.getType(text)
      if (named === undefined) throw new Error(`no type ${text}`)
      if (isObjectType(named)) return { type: named.name }
      if ('getTypes' in named || named.astNode?.kind === Kind.INTERFACE_TYPE_DEFINITION) {
        const possible = schema.getPossibleTypes(named as Parameters<GraphQLSchema['getPossibleTypes']>[0])
        return { type: possible[hash(at) % possible.length]?.name }
      }
      return text === 'Int' ? hash(at) % 1000 : `${text} at ${at}`
    }
    return value(info.returnType, place)
  }
}
