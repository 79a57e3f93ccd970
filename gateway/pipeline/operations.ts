/**
 * Prepares each operation once: reads its document and finds its requirements. The allowed part is planned and compiled
 * once for each set of granted requirements. A known operation costs two lookups and a comparison of bit sets. A new one
 * waits for its turn (`preparation-queue.ts`). All prepared operations share one bounded memory (`engine/cache-memory.ts`), which also
 * remembers refused texts by their hash.
 */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
} from 'graphql'
import { type CacheMemory, estimatedBytes, syntaxCharacters } from '../../engine/cache-memory.ts'
import type { Engine } from '../../engine/index.ts'
import {
  type NormalisedOperation,
  normalisedBytes,
  normaliseOver,
} from '../../engine/operation/normalised.ts'
import { tesseraError } from '../../shared/errors.ts'
import { hashOf } from '../../shared/graphql/persisted-operation.ts'
import { textBytes } from '../../shared/runtime/text-bytes.ts'
import type { Authorizer } from '../auth/authorize/index.ts'
import { type Granted, isRefused, type Operation } from '../auth/granted-operation.ts'
import { compileValueCount, type Limits } from '../costs/limits/index.ts'
import type { PreparationQueue } from './preparation-queue.ts'
import { PreparedOperation, type PreparedOperationOptions } from './prepared-operation.ts'
import { createTextReader, type Reading } from './read-document.ts'

export interface OperationsOptions {
  readonly apiSchema: GraphQLSchema
  readonly engine: Pick<Engine, 'compile'>
  readonly authorizer: Authorizer
  readonly limits: Limits
  readonly introspection: boolean
  /** The memory of all caches. */
  readonly kept: CacheMemory
  readonly preparations: Pick<PreparationQueue, 'joining'>
  /** Called for every lookup, for the metrics. */
  readonly onLookup: (hit: boolean) => void
  /** Parses and validates a text; the usual reader of this schema and these limits by default. */
  readonly readText?: (text: string) => Reading
}

type Prepared = Operation | readonly GraphQLError[]

export interface AskedOperation {
  readonly text: string
  /** As it was asked for; undefined if the document has one operation. */
  readonly operationName: string | undefined
  readonly operation: Operation
}

type Asked = Pick<PreparedOperationOptions, 'text' | 'hash' | 'operationName'>

/**
 * A document that passed limits and validation, with those of its operations that were requested. Its syntax tree is
 * made once for all of them.
 */
class PreparedDocument {
  readonly document: DocumentNode
  /** By name; without one it is the only operation of the document. */
  readonly operations = new Map<string, Operation>()
  constructor(document: DocumentNode) {
    this.document = document
  }
}

export class Operations {
  readonly #options: OperationsOptions
  readonly #prepareOnce
  readonly #compileOnce
  readonly #readText: (text: string) => Reading
  #made = 0

  constructor(options: OperationsOptions) {
    const { apiSchema: schema, limits, introspection, preparations } = options
    this.#options = options
    this.#prepareOnce = preparations.joining<Prepared>()
    this.#compileOnce = preparations.joining<Granted>()
    this.#readText = options.readText ?? createTextReader({ schema, limits, introspection })
  }

  get cacheBytes(): number {
    return this.#options.kept.bytes
  }

  /**
   * The prepared operation, or every reason why it cannot be one; a promise if it has to wait for its turn, until
   * the deadline (in the time of `performance.now()`) at most.
   */
  get(text: string, operationName: string | undefined, deadline?: number): Prepared | Promise<Prepared> {
    const { kept, onLookup } = this.#options
    const known = this.#known(text, operationName)
    onLookup(known !== undefined)
    if (known !== undefined) {
      known.asked += 1
      return known
    }
    const hash = hashOf(text)
    const refused = kept.get(refusedKey(hash))
    return isRefused(refused) ? refused : this.#prepareInTurn({ text, hash, operationName }, deadline)
  }

  /** The same before anybody asks: no lookup in the metrics. */
  prepare(text: string, operationName: string | undefined, deadline: number): Prepared | Promise<Prepared> {
    return (
      this.#known(text, operationName) ??
      this.#prepareInTurn({ text, hash: hashOf(text), operationName }, deadline)
    )
  }

  /** The operations that are kept, those that were asked for most often first. */
  mostAsked(most: number): readonly AskedOperation[] {
    const all: AskedOperation[] = []
    for (const kept of this.#options.kept.values())
      for (const [name, operation] of kept instanceof PreparedDocument ? kept.operations : [])
        all.push({ text: operation.text, operationName: name === '' ? undefined : name, operation })
    return all.sort((a, b) => b.operation.asked - a.operation.asked).slice(0, most)
  }

  #known(text: string, operationName: string | undefined): Operation | undefined {
    return this.#knownDocument(text)?.operations.get(operationName ?? '')
  }

  #knownDocument(text: string): PreparedDocument | undefined {
    const known = this.#options.kept.get(text)
    return known instanceof PreparedDocument ? known : undefined
  }

  #prepareInTurn(asked: Asked, deadline: number | undefined): Prepared | Promise<Prepared> {
    return this.#prepareOnce(`${asked.hash} ${asked.operationName ?? ''}`, deadline, () =>
      this.#prepare(asked),
    )
  }

  *#prepare(asked: Asked): Generator<undefined, Prepared, undefined> {
    const { text, operationName } = asked
    const prepared = yield* this.#documentOf(asked)
    if (isRefused(prepared)) return prepared
    yield
    const known = prepared.operations.get(operationName ?? '')
    if (known !== undefined) return known
    const { document } = prepared
    const { apiSchema, limits, authorizer, engine } = this.#options
    const definition = getOperationAST(document, operationName)
    if (definition === null || definition === undefined) return [unknownOperation(document, operationName)]
    if (apiSchema.getRootType(definition.operation) == null)
      return [tesseraError('GRAPHQL_VALIDATION_FAILED', `The schema has no ${definition.operation}.`)]
    const noteBytes = (bytes: number): void => this.#options.kept.grow(text, prepared, bytes)
    const normalised = normalisedFrom(apiSchema, document, definition)
    if (normalised instanceof GraphQLError) return [normalised]
    this.#made += 1
    const number = this.#made
    const operation = new PreparedOperation({
      ...{ ...asked, document, normalised, noteBytes, authorizer, engine },
      checkValues: compileValueCount(apiSchema, normalised, limits),
      compileOnce: (grant, deadline, work) => this.#compileOnce(`${number} ${grant.key}`, deadline, work),
    })
    prepared.operations.set(operationName ?? '', operation)
    noteBytes(
      estimatedBytes.operation +
        normalised.fields.length * estimatedBytes.fieldRequirement +
        normalisedBytes(normalised),
    )
    return operation
  }

  *#documentOf({
    text,
    hash,
  }: Asked): Generator<undefined, PreparedDocument | readonly GraphQLError[], undefined> {
    const known = this.#knownDocument(text)
    if (known !== undefined) return known
    const document = yield* this.#readText(text)
    if (isRefused(document)) {
      for (const error of document) dropFrames(error)
      const bytes = document.reduce((sum, { message }) => sum + estimatedBytes.error + message.length, 0)
      this.#options.kept.set(refusedKey(hash), document, bytes)
      return document
    }
    const prepared = new PreparedDocument(document)
    const bytes = textBytes(text) + syntaxCharacters(text) * estimatedBytes.treeCharacter
    this.#options.kept.set(text, prepared, bytes)
    return prepared
  }
}

function normalisedFrom(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
): NormalisedOperation | GraphQLError {
  try {
    return normaliseOver(schema, document, definition)
  } catch (error) {
    if (error instanceof GraphQLError) return error
    throw error
  }
}

/** V8 keeps the functions on an error's stack, and with them the document, until the stack is read as text. */
function dropFrames(error: GraphQLError): void {
  error.stack = `${error.name}: ${error.message}`
}

const refusedKey = (hash: string): string => `#refused:${hash}`

function unknownOperation(document: DocumentNode, operationName: string | undefined): GraphQLError {
  const names = document.definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION && node.name !== undefined ? [node.name.value] : [],
  )
  const list = `${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}`
  return tesseraError(
    'BAD_REQUEST',
    operationName === undefined
      ? `The document has several operations: name one in \`operationName\`: ${list}.`
      : `The document has no operation of this name. It has: ${list || 'one without a name'}.`,
  )
}
