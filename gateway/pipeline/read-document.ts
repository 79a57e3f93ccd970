/**
 * Reads the text of a document: makes its syntax tree, or names every reason to refuse it (nesting, syntax, sizes,
 * validation). The result depends on the text only. A long text is read in steps, which leave the event loop to others in
 * between.
 */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  isInputObjectType,
  isNonNullType,
  Kind,
  Lexer,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  TokenKind,
  type ValidationRule,
  validate,
} from 'graphql'
import { incrementalRules } from '../../engine/executor/incremental/index.ts'
import { shortMessage, tesseraError } from '../../shared/errors.ts'
import { operationRules } from '../../shared/graphql/operation-rules.ts'
import { fragmentsOf } from '../../shared/graphql/selections.ts'
import { checkDocument, checkLiterals, checkNesting, type Limits } from '../costs/limits/index.ts'

/** More errors would not help the author of a document with thousands of faults. */
const mostFaults = 20

/** A document under way, or every reason why it is refused. */
export type Reading = Generator<undefined, DocumentNode | readonly GraphQLError[], undefined>

/** A longer text is validated by a few rules per step, because each step visits the whole document. */
const longText = 4000
const rulesAtOnce = 8

/** `introspection`: whether the schema may be introspected; without it errors suggest no names either. */
export function createTextReader({
  schema,
  limits,
  introspection,
}: {
  readonly schema: GraphQLSchema
  readonly limits: Limits
  readonly introspection: boolean
}): (text: string) => Reading {
  const rules: readonly ValidationRule[] = [
    ...operationRules,
    ...incrementalRules,
    ReservedAliases,
    NonNullMembersOfOneOf,
    ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ]
  const parsed = (text: string, noLocation: boolean): DocumentNode =>
    parse(text, { maxTokens: limits.tokens, noLocation })

  const inTurns = Array.from({ length: Math.ceil(rules.length / rulesAtOnce) }, (_, i) =>
    rules.slice(i * rulesAtOnce, (i + 1) * rulesAtOnce),
  )

  return function* read(text) {
    const nested = checkNesting(text, limits)
    if (nested !== undefined) return [nested]
    let document: DocumentNode
    try {
      // Only messages need locations, which take more memory than the rest of the tree.
      document = parsed(text, true)
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      return [unparsable(error, limits)]
    }
    const oversize = [
      ...checkDocument(document, limits),
      checkLiterals(document, limits),
      checkIntrospection(document),
      checkRootOfSubscriptions(document),
    ].filter((error) => error !== undefined)
    if (oversize.length > 0) return oversize
    const options = { maxErrors: mostFaults, hideSuggestions: !introspection }
    let isValid = true
    for (const some of text.length < longText ? [rules] : inTurns) {
      yield
      const faults = validate(schema, document, some, { ...options, maxErrors: 1 })
      if (faults.some(isOfTooMuchWork)) return [tooMuchWork()]
      isValid &&= faults.length === 0
    }
    if (isValid) return document
    yield
    const faults = validate(schema, parsed(text, false), rules, options)
    return faults.some(isOfTooMuchWork)
      ? [tooMuchWork()]
      : faults.map((fault) => coded(fault, 'GRAPHQL_VALIDATION_FAILED'))
  }
}

/**
 * graphql-js compares every two fields and fragments that share a place in the response, up to a bound. Its error
 * names no reason.
 */
const isOfTooMuchWork = ({ message }: GraphQLError): boolean => message === 'Validation aborted.'

const tooMuchWork = (): GraphQLError =>
  tesseraError(
    'OPERATION_TOO_LARGE',
    'The operation selects too many fields or fragments at the same places to be validated.',
    { extensions: { limit: 'fields' } },
  )

function unparsable(error: GraphQLError, { tokens }: Limits): GraphQLError {
  if (isOfEmptySelection(error)) return coded(withMessage(error, emptySelection), 'GRAPHQL_PARSE_FAILED')
  if (!/^Syntax Error: Document contains more tha[nt] \d+ tokens/.test(error.message))
    return coded(error, 'GRAPHQL_PARSE_FAILED')
  return tesseraError('OPERATION_TOO_LARGE', `The document has more than ${tokens} tokens.`, {
    extensions: { limit: 'tokens', maximum: tokens },
  })
}

const emptySelection =
  'Syntax Error: The selection set is empty. Empty selection sets (GraphQL, edition of September 2026) are not supported: select `__typename`.'

/** Whether the parser met the end of a selection set right behind its beginning. */
function isOfEmptySelection({ message, positions, source }: GraphQLError): boolean {
  const at = positions?.[0]
  if (!message.endsWith('Expected Name, found "}".') || source === undefined || at === undefined) return false
  const lexer = new Lexer(source)
  let before = lexer.token
  for (let token = lexer.advance(); token.start < at && token.kind !== TokenKind.EOF; token = lexer.advance())
    before = token
  return before.kind === TokenKind.BRACE_L
}

const withMessage = ({ source, positions }: GraphQLError, message: string): GraphQLError =>
  new GraphQLError(message, { ...(source === undefined ? {} : { source }), positions: positions ?? null })

/** The error with its code and locations, and without the document that it points into. */
function coded(
  { message, locations }: GraphQLError,
  code: 'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED',
): GraphQLError {
  const error = new GraphQLError(shortMessage(message), { extensions: { code } })
  return locations === undefined ? error : Object.assign(error, { locations })
}

/** The fields `__schema` and `__type` of one operation. */
const mostIntrospected = { __schema: 1, __type: 20 }

function checkIntrospection(document: DocumentNode): GraphQLError | undefined {
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const found = { __schema: 0, __type: 0 }
    for (const { selections } of rootSets(document, definition))
      for (const selection of selections) {
        const name = selection.kind === Kind.FIELD ? selection.name.value : undefined
        if (name === '__schema' || name === '__type') found[name] += 1
      }
    for (const name of ['__schema', '__type'] as const) {
      const maximum = mostIntrospected[name]
      if (found[name] <= maximum) continue
      const message = `The operation selects ${name} too often: ${found[name]} times. At most ${maximum} are allowed.`
      return tesseraError('OPERATION_TOO_LARGE', message, {
        extensions: { limit: name, maximum, found: found[name] },
      })
    }
  }
  return undefined
}

/** The selection sets at the root of an operation: its own, and those of fragments that are not `spread` already. */
function* rootSets(
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
  spread = new Set<string>(),
): Generator<SelectionSetNode, void, undefined> {
  const open = [selectionSet]
  for (let set = open.pop(); set !== undefined; set = open.pop()) {
    yield set
    for (const selection of set.selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) open.push(selection.selectionSet)
      if (selection.kind !== Kind.FRAGMENT_SPREAD || spread.has(selection.name.value)) continue
      spread.add(selection.name.value)
      const fragment = fragmentsOf(document).get(selection.name.value)
      if (fragment !== undefined) open.push(fragment.selectionSet)
    }
  }
}

/**
 * Names that begin with two underscores are reserved (GraphQL, section 2.1.9). Another field under the key
 * `__typename` would take the place of the type by which the gateway tells objects apart.
 */
const ReservedAliases: ValidationRule = (context) => ({
  Field(node) {
    const { alias, name } = node
    if (alias?.value !== '__typename' || name.value === '__typename') return
    const message = 'The alias `__typename` is reserved for introspection: choose another one.'
    context.reportError(new GraphQLError(message, { nodes: node }))
  },
})

/**
 * A member of a OneOf input object may only be a variable that cannot be null. The rule of graphql-js looks only at
 * places where the object itself may be null.
 * https://spec.graphql.org/September2025/#sec-All-Variable-Usages-Are-Allowed
 */
const NonNullMembersOfOneOf: ValidationRule = (context) => ({
  OperationDefinition(operation) {
    const definitions = new Map(operation.variableDefinitions?.map((one) => [one.variable.name.value, one]))
    for (const { node, parentType } of context.getRecursiveVariableUsages(operation)) {
      if (!isNonNullType(parentType)) continue
      const { ofType: type } = parentType
      const definition = definitions.get(node.name.value)
      if (!isInputObjectType(type) || !type.isOneOf) continue
      if (definition === undefined || definition.type.kind === Kind.NON_NULL_TYPE) continue
      const message = `Variable "$${node.name.value}" is of type "${print(definition.type)}" but must be non-nullable to be used for OneOf Input Object "${type}".`
      context.reportError(new GraphQLError(message, { nodes: [definition, node] }))
    }
  },
})

/**
 * No condition may leave out the root field of a subscription, because there would be no events. This runs before the
 * rules of graphql-js, one of which throws if a variable decides it.
 * https://spec.graphql.org/September2025/#sec-Single-Root-Field
 */
function checkRootOfSubscriptions(document: DocumentNode): GraphQLError | undefined {
  // What is said of a fragment does not depend on the operation.
  const spread = new Set<string>()
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION || definition.operation !== 'subscription') continue
    for (const { selections } of rootSets(document, definition, spread)) {
      const name = selections
        .flatMap(({ directives = [] }) => directives)
        .map((directive) => directive.name.value)
        .find((each) => each === 'skip' || each === 'include')
      if (name !== undefined)
        return new GraphQLError(`@${name} is not allowed at the root of a subscription.`, {
          extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
        })
    }
  }
  return undefined
}
