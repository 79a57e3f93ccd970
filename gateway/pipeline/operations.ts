/**
 * Operations, each prepared once: its document read, its requirements found; what a caller may see of it filtered,
 * planned and compiled once for each set of granted requirements. A known operation costs two look-ups and a
 * comparison of bit sets. A new one waits for its turn (`preparation.ts`), what is kept shares one memory
 * (`engine/kept.ts`), and a text that was refused is refused again by its hash.
 */
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { withoutIncrementalDirectives } from '../../engine/executor/incremental/index.ts'
import type { CompiledOperation, Engine } from '../../engine/index.ts'
import { type KeptMemory, keptBytes, syntaxCharacters } from '../../engine/kept.ts'
import { fieldsReachedBy, withRootKey } from '../../engine/operation/root-fields.ts'
import { tesseraError } from '../../shared/errors.ts'
import { hashOf } from '../../shared/graphql/persisted-operation.ts'
import type { Identity } from '../../shared/identity.ts'
import { textBytes } from '../../shared/runtime/text-bytes.ts'
import type { Authorizer, Grant } from '../auth/authorize/index.ts'
import { type Granted, type GrantedOperation, isRefused, type Operation } from '../auth/operation.ts'
import { compileValueCount, type Limits } from '../costs/limits/index.ts'
import type { Preparations } from './preparation.ts'
import { createPreparedDocuments, PreparedDocument } from './prepared-document.ts'
import { createTextReader, type Reading } from './read-document.ts'

export interface OperationsOptions {
  readonly apiSchema: GraphQLSchema
  readonly engine: Pick<Engine, 'compile'>
  readonly authorizer: Authorizer
  readonly limits: Limits
  readonly introspection: boolean
  /** The memory of all caches. */
  readonly kept: KeptMemory
  readonly preparations: Preparations
  /** Called for every look-up, for the metrics. */
  readonly onLookup: (hit: boolean) => void
  /** Parses and validates a text; the usual reader of this schema and these limits by default. */
  readonly readText?: (text: string) => Reading
}

type Prepared = Operation | readonly GraphQLError[]

export interface Operations {
  /**
   * The prepared operation, or every reason why it cannot be one; a promise if it has to wait for its turn, until
   * the deadline (in the time of `performance.now()`) at most.
   */
  get(text: string, operationName: string | undefined, deadline?: number): Prepared | Promise<Prepared>
  /** The same before anybody asks: no look-up in the metrics. */
  prepare(text: string, operationName: string | undefined, deadline: number): Prepared | Promise<Prepared>
  /** The operations that are kept, those that were asked for most often first. */
  mostAsked(most: number): readonly AskedOperation[]
  /** Of the memory of all caches, as estimated. */
  readonly keptBytes: number
}

export interface AskedOperation {
  readonly text: string
  /** As it was asked for; undefined if the document has one operation. */
  readonly operationName: string | undefined
  readonly operation: Operation
}

/** How many different grants of one operation stay compiled. */
const keptGrants = 64

/** Errors of a text that is refused. */
class RefusedText {
  readonly errors: readonly GraphQLError[]

  constructor(errors: readonly GraphQLError[]) {
    this.errors = errors
  }
}

export function createOperations(options: OperationsOptions): Operations {
  const { apiSchema, engine, authorizer, limits, kept, preparations, onLookup } = options
  const documents = createPreparedDocuments(kept)
  const prepareOnce = preparations.joining<Prepared>()
  const compileOnce = preparations.joining<Granted>()
  let made = 0
  const { readText = createTextReader({ schema: apiSchema, limits, introspection: options.introspection }) } =
    options

  function* documentOf(
    text: string,
  ): Generator<undefined, PreparedDocument | readonly GraphQLError[], undefined> {
    const known = documents.get(text)
    if (known !== undefined) return known
    const document = yield* readText(text)
    if (isRefused(document)) {
      for (const error of document) dropFrames(error)
      const bytes = document.reduce((sum, { message }) => sum + keptBytes.error + message.length, 0)
      kept.set(refusedKey(text), new RefusedText(document), bytes)
      return document
    }
    // Who may see what, what it costs and how it is planned hangs on no directive for pieces.
    const prepared = new PreparedDocument(withoutIncrementalDirectives(document).document)
    documents.set(text, prepared, textBytes(text) + syntaxCharacters(text) * keptBytes.treeCharacter)
    return prepared
  }

  function* prepare(
    text: string,
    operationName: string | undefined,
  ): Generator<undefined, Prepared, undefined> {
    const prepared = yield* documentOf(text)
    if (isRefused(prepared)) return prepared
    yield
    const known = prepared.operations.get(operationName ?? '')
    if (known !== undefined) return known
    const { document } = prepared
    const definition = getOperationAST(document, operationName)
    if (definition === null || definition === undefined) return [unknownOperation(document, operationName)]
    if (apiSchema.getRootType(definition.operation) == null)
      return [tesseraError('GRAPHQL_VALIDATION_FAILED', `The schema has no ${definition.operation}.`)]
    const noteKept = (bytes: number): void => documents.grow(text, prepared, bytes)
    const operation = operationFrom(text, document, definition, operationName, noteKept)
    prepared.operations.set(operationName ?? '', operation)
    noteKept(keptBytes.operation + fieldsReachedBy(document, operationName).size * keptBytes.fieldRequirement)
    return operation
  }

  function operationFrom(
    text: string,
    document: DocumentNode,
    definition: OperationDefinitionNode,
    operationName: string | undefined,
    noteKept: (bytes: number) => void,
  ): Operation {
    made += 1
    const name = made
    const requirements = authorizer.analyze(document, operationName)
    const byGrant = new LRUCache<Grant['key'], Granted>({ max: keptGrants })
    const callers = new LRUCache<Grant['key'], Identity>({ max: keptGrants })
    function* compile(grant: Grant, identity: Identity): Generator<undefined, Granted, undefined> {
      const known = byGrant.get(grant.key)
      if (known !== undefined) return known
      const { allowed, refusals, reject, report } = requirements.filter(grant)
      yield
      let granted: Granted
      if (reject !== undefined) granted = reject
      else {
        const compiled = engine.compile({
          document,
          operationName,
          noteKept,
          ...(refusals.length === 0 ? {} : { allowed, refusals }),
        })
        yield* planned(compiled)
        granted = { operation, compiled, allowed, refusals, report, only: onlyKey }
      }
      noteKept(
        keptBytes.operation +
          (allowed === document ? 0 : syntaxCharacters(text) * keptBytes.treeCharacter) +
          refusals.length * keptBytes.error,
      )
      byGrant.set(grant.key, granted)
      const { scopes, authenticated } = identity
      callers.set(grant.key, { scopes, authenticated, claims: noClaims })
      return granted
    }
    /** Rare (mutations of several fields with idempotency keys), so it is planned each time. */
    function onlyKey(this: GrantedOperation, key: string): GrantedOperation {
      const of = (whole: DocumentNode): DocumentNode => withRootKey(whole, operationName, key)
      const part = of(document)
      const allowed = this.allowed === null ? null : of(this.allowed)
      const isEmpty =
        allowed === null || getOperationAST(allowed, operationName)?.selectionSet.selections.length === 0
      const fields = fieldsReachedBy(part, operationName)
      const refusals = this.refusals.filter(({ field }) => fields.has(field))
      const compiled = engine.compile({
        document: part,
        operationName,
        allowed: isEmpty ? null : allowed,
        refusals,
      })
      return { ...this, compiled, allowed: isEmpty ? null : allowed, refusals }
    }
    const withGrant = (
      grant: Grant,
      identity: Identity,
      deadline: number | undefined,
    ): Granted | Promise<Granted> =>
      byGrant.get(grant.key) ??
      compileOnce(`${name} ${JSON.stringify(grant.key)}`, deadline, () => compile(grant, identity))
    const operation: Operation = {
      text,
      document,
      definition,
      name: definition.name?.value,
      hash: hashOf(text),
      requirements,
      asked: 0,
      // Policies are not decided for a caller that was refused.
      callers: () => (requirements.policies.length > 0 ? [] : [...callers.values()]),
      checkValues: compileValueCount(apiSchema, document, definition, limits),
      grantedTo(identity, deadline, context) {
        const grant = requirements.grant(identity, context)
        return grant instanceof Promise
          ? grant.then((late) => withGrant(late, identity, deadline))
          : withGrant(grant, identity, deadline)
      },
    }
    return operation
  }

  const prepareInTurn = (
    text: string,
    operationName: string | undefined,
    deadline: number | undefined,
  ): Prepared | Promise<Prepared> =>
    prepareOnce(`${hashOf(text)} ${operationName ?? ''}`, deadline, () => prepare(text, operationName))

  return {
    get keptBytes() {
      return kept.bytes
    },
    get(text, operationName, deadline) {
      const known = documents.get(text)?.operations.get(operationName ?? '')
      onLookup(known !== undefined)
      if (known !== undefined) {
        known.asked += 1
        return known
      }
      const refused = kept.get(refusedKey(text))
      return refused instanceof RefusedText ? refused.errors : prepareInTurn(text, operationName, deadline)
    },
    prepare: (text, operationName, deadline) =>
      documents.get(text)?.operations.get(operationName ?? '') ??
      prepareInTurn(text, operationName, deadline),
    mostAsked(most) {
      const all: AskedOperation[] = []
      for (const { operations } of documents.all())
        for (const [name, operation] of operations)
          all.push({ text: operation.text, operationName: name === '' ? undefined : name, operation })
      return all.sort((a, b) => b.operation.asked - a.operation.asked).slice(0, most)
    },
  }
}

const noClaims: Identity['claims'] = Object.freeze({})

/** Plans in turns of the preparation, not in that of the first request. If it fails, requests report it. */
function* planned(compiled: CompiledOperation): Generator<undefined, void, undefined> {
  try {
    yield* compiled.planning()
  } catch {
    // It is thrown again if the operation is executed.
  }
}

/** Until its stack is a text, an error holds the functions that it passed through, and the document with them. */
function dropFrames(error: GraphQLError): void {
  error.stack = `${error.name}: ${error.message}`
}

function refusedKey(text: string): string {
  return `#refused:${hashOf(text)}`
}

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
