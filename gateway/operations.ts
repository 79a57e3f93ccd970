/**
 * One operation, prepared once: parsed, held against the limits, validated, its requirements found. What a
 * caller may see of it is filtered, planned and compiled once for each set of granted requirements; a hot
 * request costs two look-ups and a comparison of bit sets. Bounded on both levels.
 */
import { hash } from 'node:crypto'
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { tesseraError } from '../subgraphs/lib/errors.ts'
import type { Identity } from './authenticate.ts'
import type { Authorizer, GrantKey, OperationRequirements } from './authorize.ts'
import { createDocumentCache } from './document-cache.ts'
import type { CompiledOperation, Engine } from './engine.ts'
import { checkDocument, checkLiterals, type Limits } from './limits.ts'
import type { Refusal } from './shape.ts'

export interface OperationsOptions {
  readonly apiSchema: GraphQLSchema
  readonly engine: Engine
  readonly authorizer: Authorizer
  readonly limits: Limits
  readonly introspection: boolean
  /** Documents that are kept prepared. */
  readonly keptDocuments: number
  /** Told of every look-up, for the measures. */
  readonly onLookup: (hit: boolean) => void
}

/** A prepared operation as one caller may run it. */
export interface GrantedOperation {
  readonly operation: Operation
  readonly compiled: CompiledOperation
  /** What of the document is fetched; null is nothing. */
  readonly allowed: DocumentNode | null
  /** What is refused of it. */
  readonly refusals: readonly Refusal[]
  /** Errors to add to an answer that is otherwise whole: refusals that are only reported. */
  readonly report: readonly GraphQLError[] | undefined
}

type Granted = GrantedOperation | readonly GraphQLError[]

export interface Operation {
  readonly text: string
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
  readonly name: string | undefined
  /** SHA-256 of the text, in hexadecimal: what a persisted operation goes by. */
  readonly hash: string
  readonly requirements: OperationRequirements
  /** What this caller may run of it, or the errors that refuse it whole. */
  grantedTo(identity: Identity): Granted | Promise<Granted>
}

export interface Operations {
  /** The prepared operation, or every reason why it cannot be one. */
  get(text: string, operationName: string | undefined): Operation | readonly GraphQLError[]
}

export function isRefused<T>(result: T | readonly GraphQLError[]): result is readonly GraphQLError[] {
  return Array.isArray(result)
}

/** How many different grants of one operation stay compiled. */
const keptGrants = 64

function coded(
  error: GraphQLError,
  code: 'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED',
): GraphQLError {
  return new GraphQLError(error.message, {
    ...(error.nodes === undefined ? {} : { nodes: error.nodes }),
    ...(error.source === undefined ? {} : { source: error.source }),
    ...(error.positions === undefined ? {} : { positions: error.positions }),
    extensions: { code },
  })
}

export function createOperations(options: OperationsOptions): Operations {
  const { apiSchema, engine, authorizer, limits, onLookup } = options
  const documents = createDocumentCache<Operation>(options.keptDocuments)
  const rules: readonly ValidationRule[] = options.introspection
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule]

  function read(text: string): DocumentNode | readonly GraphQLError[] {
    let document: DocumentNode
    try {
      document = parse(text, { maxTokens: limits.tokens })
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      if (/^Syntax Error: Document contains more tha[nt] \d+ tokens/.test(error.message)) {
        return [
          tesseraError('OPERATION_TOO_LARGE', `The document has more than ${limits.tokens} tokens.`, {
            extensions: { limit: 'tokens', maximum: limits.tokens },
          }),
        ]
      }
      return [coded(error, 'GRAPHQL_PARSE_FAILED')]
    }
    const oversize = checkDocument(document, limits)
    const list = checkLiterals(document, limits)
    if (list !== undefined) oversize.push(list)
    if (oversize.length > 0) return oversize
    const faults = validate(apiSchema, document, rules)
    if (faults.length > 0) return faults.map((fault) => coded(fault, 'GRAPHQL_VALIDATION_FAILED'))
    return document
  }

  function prepare(text: string, operationName: string | undefined): Operation | readonly GraphQLError[] {
    const document = read(text)
    if (isRefused(document)) return document
    const definition = getOperationAST(document, operationName)
    if (definition === null || definition === undefined) {
      const names = document.definitions.flatMap((node) =>
        node.kind === 'OperationDefinition' && node.name !== undefined ? [node.name.value] : [],
      )
      const message =
        operationName === undefined
          ? `The document has several operations: name one in \`operationName\`: ${names.join(', ')}.`
          : `The document has no operation of this name. It has: ${names.join(', ') || 'one without a name'}.`
      return [tesseraError('BAD_REQUEST', message)]
    }
    if (definition.operation === 'subscription') {
      return [tesseraError('BAD_REQUEST', 'Subscriptions are not supported: send a query or a mutation.')]
    }
    const requirements = authorizer.analyze(document, operationName)
    const byGrant = new LRUCache<GrantKey, Granted>({ max: keptGrants })
    const withGrant = (grant: GrantKey): Granted => {
      let granted = byGrant.get(grant)
      if (granted === undefined) {
        granted = compile(operation, grant)
        byGrant.set(grant, granted)
      }
      return granted
    }
    const operation: Operation = {
      text,
      document,
      definition,
      name: definition.name?.value,
      hash: hash('sha256', text),
      requirements,
      grantedTo(identity) {
        const grant = requirements.grant(identity)
        return grant instanceof Promise ? grant.then(withGrant) : withGrant(grant)
      },
    }
    return operation
  }

  function compile(operation: Operation, grant: GrantKey): Granted {
    const { document, name, requirements } = operation
    const { allowed, refusals, reject, report } = requirements.filter(grant)
    if (reject !== undefined) return reject
    const compiled = engine.compile({
      document,
      operationName: name,
      ...(refusals.length === 0 ? {} : { allowed, refusals }),
    })
    return { operation, compiled, allowed, refusals, report }
  }

  return {
    get(text, operationName) {
      const known = documents.get(text, operationName)
      if (known !== undefined) {
        onLookup(true)
        return known
      }
      onLookup(false)
      const operation = prepare(text, operationName)
      if (isRefused(operation)) return operation
      documents.set(text, operationName, operation)
      return operation
    },
  }
}
