/**
 * Operations that a router sends again and again: parsed and validated once, then executed as in one process
 * (`transport/in-process.ts`), by their text or its hash. It takes what is sound and plain, and leaves everything else
 * to Apollo Server, before anything was executed.
 */
import { hash } from 'node:crypto'
import { type DocumentNode, getOperationAST, parse, validate } from 'graphql'
import { gatherRaw, type JsonText } from '../../contract/json/raw.ts'
import type { Subgraph } from '../../contract/subgraph.ts'
import { textBytes } from '../../contract/text-bytes.ts'
import { ErrorList } from '../engine/error-list.ts'
import { responseBody } from '../engine/index.ts'
import { createKeptMemory, keptBytes, type NoteKept, syntaxCharacters } from '../engine/kept.ts'
import type { GatewayRequest } from '../engine/request.ts'
import { createResponseShape, type ResponseShape } from '../engine/respond/index.ts'
import { createInProcessTransport, type SubgraphFetch } from '../engine/transport/index.ts'
import { type Coerce, compileVariables } from '../engine/variables.ts'
import { type OperationParams, paramsFrom } from '../http/negotiation.ts'
import type { Logger } from '../observe/log.ts'
import { resultBody } from './result-body.ts'

export interface Prepared {
  /** Whether this text was read before, and found sound. */
  knows(text: string): boolean
  /** The same request with its document in it, where it has only a hash that is known. */
  whole(json: unknown): unknown
  /** The body of the answer, whose status is 200; undefined where it is for Apollo Server to answer. */
  answer(json: unknown, request: GatewayRequest): Promise<JsonText> | undefined
}

interface PreparedOperation {
  readonly coerce: Coerce
  readonly fetch: SubgraphFetch
  readonly shape: ResponseShape
}

const noErrors = new ErrorList()

/** A text that came with its hash. */
class HashedText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The operations of one text, by name. */
class PreparedText {
  readonly operations = new Map<string, PreparedOperation>()
}

const mostKeptBytes = 100_000_000

export interface PreparedOptions {
  readonly subgraph: Subgraph
  /** Documents that are kept prepared. */
  readonly keptDocuments: number
  readonly log: Logger
}

export function createPrepared({ subgraph, keptDocuments, log }: PreparedOptions): Prepared {
  const { schema } = subgraph
  const transport = createInProcessTransport(subgraph)
  const kept = createKeptMemory(mostKeptBytes, keptDocuments)

  function prepare(text: string, name: string | undefined): PreparedOperation | undefined {
    let document: DocumentNode
    try {
      document = parse(text)
    } catch {
      return undefined
    }
    if (validate(schema, document).length > 0) return undefined
    const definition = getOperationAST(document, name)
    if (definition == null || definition.operation === 'subscription') return undefined
    const noteKept: NoteKept = (bytes, code = 0) => {
      const entry = preparedText(text)
      if (entry !== undefined) kept.grow(text, entry, bytes + code * keptBytes.hotCodeCharacter)
    }
    const fetch = transport.prepare({
      text,
      document,
      name: definition.name?.value,
      kind: definition.operation,
      variableNames: (definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value),
      noteKept,
    })
    const shape = createResponseShape({
      schema,
      document,
      operation: definition,
      refusals: [],
      // The writer leaves it to what the fetch made.
      introspect: () => undefined,
      noteKept,
    })
    return { coerce: compileVariables(schema, definition), fetch, shape }
  }

  function preparedText(text: string): PreparedText | undefined {
    const known = kept.get(text)
    return known instanceof PreparedText ? known : undefined
  }

  function operationFor(text: string, name: string | undefined): PreparedOperation | undefined {
    const known = preparedText(text)
    const prepared = known?.operations.get(name ?? '')
    if (prepared !== undefined) return prepared
    const operation = prepare(text, name)
    if (operation === undefined) return undefined
    const entry = known ?? new PreparedText()
    const bytes =
      keptBytes.operation + syntaxCharacters(text) * (keptBytes.treeCharacter + keptBytes.executedField / 10)
    if (known === undefined) kept.set(text, entry, bytes)
    else kept.grow(text, entry, bytes)
    entry.operations.set(name ?? '', operation)
    return operation
  }

  /** Of a text, of its hash, or of both; what is wrong with them is for Apollo Server to say. */
  function operationOf({ query, operationName, extensions }: OperationParams): PreparedOperation | undefined {
    const persisted = extensions?.persistedQuery
    if (persisted === undefined) return query === undefined ? undefined : operationFor(query, operationName)
    const given = hashOf(persisted)
    if (given === undefined) return undefined
    if (query === undefined) {
      const known = kept.get(hashKey(given))
      return known instanceof HashedText ? operationFor(known.text, operationName) : undefined
    }
    if (hash('sha256', query) !== given) return undefined
    const operation = operationFor(query, operationName)
    if (operation !== undefined) kept.set(hashKey(given), new HashedText(query), textBytes(query))
    return operation
  }

  async function run(
    { fetch, shape }: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    request: GatewayRequest,
  ): Promise<JsonText> {
    const pending = fetch(variables, request)
    const result = pending instanceof Promise ? await pending : pending
    const { data, errors } = result
    if (data != null && errors === undefined) {
      const text = gatherRaw(() => shape.write({ data, errors: noErrors, variables }))
      if (text !== undefined) return responseBody({ data: text })
    }
    return resultBody(result, { id: request.id, log })
  }

  return {
    knows: (text) => preparedText(text) !== undefined,
    whole(json) {
      const params = paramsOf(json)
      if (params === undefined || params.query !== undefined) return json
      const given = hashOf(params.extensions?.persistedQuery)
      const known = given === undefined ? undefined : kept.get(hashKey(given))
      return known instanceof HashedText ? { ...(json as object), query: known.text } : json
    },
    answer(json, request) {
      const params = paramsOf(json)
      if (params === undefined) return undefined
      const operation = operationOf(params)
      if (operation === undefined) return undefined
      const { variables } = operation.coerce(params.variables ?? {})
      return variables === undefined ? undefined : run(operation, variables, request)
    },
  }
}

function paramsOf(json: unknown): OperationParams | undefined {
  try {
    return paramsFrom(json)
  } catch {
    return undefined
  }
}

/** A text that begins so is no document. */
const hashKey = (given: string): string => `#hash:${given}`

function hashOf(persisted: unknown): string | undefined {
  const { version, sha256Hash } = (persisted ?? {}) as { version?: unknown; sha256Hash?: unknown }
  return version === 1 && typeof sha256Hash === 'string' && /^[0-9a-f]{64}$/.test(sha256Hash)
    ? sha256Hash
    : undefined
}
