/** Makes the results of tools, each within its bound, from results of the pipeline and from remainders of earlier ones. */
import { type GraphQLError, type GraphQLSchema, parse } from 'graphql'
import { parseExactly } from '../../../shared/json/exact-number.ts'
import type { AgentOperation } from '../agent-request.ts'
import { bytesOfToken, type ToolResult, toolError } from '../tools/tool.ts'
import { errorsWithin } from './errors.ts'
import type { RemainderStore } from './remainder-store.ts'
import { type Shape, shapeOf } from './shape.ts'
import { markNumber } from './text-marks.ts'
import { type OmittedItems, truncate } from './truncate.ts'
import type { IsUntrusted } from './untrusted-fields.ts'
import { type Cuts, type Marking, writeLeaf, writeValue } from './write-data.ts'

interface ResultOptions {
  readonly schema: GraphQLSchema
  readonly isUntrusted: IsUntrusted
  readonly remainders: RemainderStore
  readonly structured: boolean
}

export interface Recipient {
  readonly caller: string
  /** The scopes of the token. Data that were read with one scope are not shown to a token of the caller without it. */
  readonly scopes: ReadonlySet<string>
}

type Executed = Pick<AgentOperation, 'query' | 'operationName' | 'variables'>

export interface ResultParts extends Recipient, Executed {
  readonly maxTokens: number
  readonly isChange?: boolean | undefined
}

interface Remainder extends Executed {
  readonly scopes: readonly string[]
  readonly pieces: readonly OmittedItems[]
}

/** The bytes for the note about omitted data, and for the paths in it. */
const moreBytes = 380
const pathsBytes = 200

export class ToolResults {
  readonly #options: ResultOptions

  constructor(options: ResultOptions) {
    this.#options = options
  }

  async ofResult(
    { data, errors }: { readonly data: unknown; readonly errors: readonly GraphQLError[] },
    { caller, scopes, maxTokens, isChange, ...asked }: ResultParts,
  ): Promise<ToolResult> {
    const bytes = maxTokens * bytesOfToken
    if (data === null || data === undefined) {
      const told = errorsWithin(errors, bytes - '{"data":null,"errors":}'.length)
      return this.#finished(`{"data":null${told === '' ? '' : `,"errors":${told}`}}`, [], true)
    }
    const told = errorsWithin(errors, bytes / 2)
    const ofErrors = told === '' ? '' : `,"errors":${told}`
    const shape = this.#shapeOf(asked)
    const room = bytes - Buffer.byteLength(ofErrors) - '{"marks":"000000","data":}'.length
    let shortened = truncate(data, shape, room)
    if (shortened !== undefined && shortened.pieces.length > 0)
      shortened = truncate(data, shape, room - moreBytes)
    if (shortened === undefined) {
      const made = isChange ? 'The change was made, but for what errors say: do not repeat it. ' : ''
      return toolError(
        `${made}The answer does not fit into ${maxTokens} tokens, and no list in it can be cut: ask for fewer fields.${told === '' ? '' : ` Errors: ${told}`}`,
      )
    }
    const { pieces, cuts } = shortened
    const written = write((marking) => writeValue(data, shape, false, '/data', { ...marking, cuts }))
    let more = ''
    if (pieces.length > 0) {
      const kept: Remainder = { ...asked, scopes: [...scopes], pieces }
      const handle = await this.#options.remainders.put(caller, JSON.stringify(kept))
      more = `,"more":${moreOf(handle, pieces)}`
    }
    return this.#finished(`{${written.head}"data":${written.text}${ofErrors}${more}}`, written.pointers)
  }

  /** The tool result for a remainder; undefined if the handle is not one of this caller's. */
  async ofRest(
    handle: string,
    { caller, scopes }: Recipient,
    maxTokens: number,
  ): Promise<ToolResult | undefined> {
    const [kept = '', ...place] = handle.split('.')
    const found = await this.#options.remainders.get(caller, kept)
    if (found === undefined) return undefined
    const { pieces, ...asked } = parseExactly(found) as Remainder
    if (!asked.scopes.every((scope) => scopes.has(scope))) return undefined
    const shape = this.#shapeOf(asked)
    const pending = pendingAt(place, pieces, shape)
    if (pending === undefined) return undefined
    const { sent, left, tooLarge } = pack(pending, shape, maxTokens * bytesOfToken - moreBytes - 60)
    const written = write(
      (marking) => `[${sent.map((each, at) => writeSent(each, at, shape, marking)).join(',')}]`,
    )
    const [next] = left
    let more = ''
    if (next !== undefined) {
      const others = left.map(({ piece }) => piece)
      more = `,"more":${moreOf([kept, ...next.place].join('.'), others)}`
    }
    const lost = tooLarge === undefined ? '' : `,"tooLarge":${writeLeaf(tooLarge)}`
    return this.#finished(`{${written.head}"rest":${written.text}${lost}${more}}`, written.pointers)
  }

  #shapeOf({ query, operationName, variables }: Executed): Shape {
    const { schema, isUntrusted } = this.#options
    return shapeOf({
      schema,
      document: parse(query, { noLocation: true }),
      operationName,
      variables,
      isUntrusted,
    })
  }

  #finished(text: string, pointers: readonly string[], isError = false): ToolResult {
    return {
      text,
      ...(pointers.length === 0 ? {} : { strangers: pointers }),
      ...(isError ? { isError } : {}),
      ...(this.#options.structured
        ? { structured: JSON.parse(text) as Readonly<Record<string, unknown>> }
        : {}),
    }
  }
}

function writeSent({ piece, cuts }: Sent, at: number, root: Shape, marking: Marking): string {
  const shape = shapeAt(root, piece.keys)
  const items = writeValue(piece.items, shape, false, `/rest/${at}/items`, { ...marking, cuts })
  return `{"path":${writeLeaf(piece.path)},"from":${piece.from},"items":${items}}`
}

/** Writes once to see the texts of strangers, and once with a number that stands in none of them. */
function write(once: (marking: Marking) => string): {
  readonly head: string
  readonly text: string
  readonly pointers: readonly string[]
} {
  const pointers: string[] = []
  const bare = once({ number: '', found: (pointer) => void pointers.push(pointer) })
  if (pointers.length === 0) return { head: '', text: bare, pointers }
  const number = markNumber([bare])
  return { head: `"marks":"${number}",`, text: once({ number, found() {} }), pointers }
}

/** What a model reads of what was cut off: how to go on, and of which lists. */
function moreOf(handle: string | undefined, pieces: readonly OmittedItems[]): string {
  const lists: object[] = []
  let bytes = 0
  for (const { path, from, items } of pieces) {
    const told = { path, kept: from, of: from + items.length }
    bytes += JSON.stringify(told).length
    if (bytes > pathsBytes) break
    lists.push(told)
  }
  return JSON.stringify({
    ...(handle === undefined ? { note: 'not kept: go on with endCursor' } : { handle }),
    cut: lists,
    ...(lists.length < pieces.length ? { lists: pieces.length } : {}),
  })
}

interface Sent {
  readonly piece: OmittedItems
  readonly cuts: Cuts
}

/**
 * Items that are not sent yet, and where they are in what is kept: the number of the piece and of its item. Those within
 * an item that was too long are below its place, by the bytes that it was cut to. A handle ends with the place of what
 * comes next, so that nothing is kept twice, and a repeated request gets the same answer.
 */
interface Pending {
  readonly piece: OmittedItems
  readonly place: readonly string[]
}

const pendingOf = (pieces: readonly OmittedItems[], above: readonly string[] = []): readonly Pending[] =>
  pieces.map((piece, n) => ({ piece, place: [...above, String(n), '0'] }))

/** What of it comes after so many items. */
function after({ piece, place }: Pending, count: number): readonly Pending[] {
  const { from, items } = piece
  if (count >= items.length) return []
  return [
    {
      piece: { ...piece, from: from + count, items: items.slice(count) },
      place: [...place.slice(0, -1), String(Number(place.at(-1)) + count)],
    },
  ]
}

/** The first item alone, cut to that many bytes, and what of it comes later. */
function cutFirst({ piece, place }: Pending, root: Shape, bytes: number) {
  const path = `${piece.path}/${piece.from}`
  const inner = truncate(piece.items[0], shapeAt(root, piece.keys), bytes, { path, keys: piece.keys })
  return { path, cuts: inner?.cuts, pending: pendingOf(inner?.pieces ?? [], [...place, String(bytes)]) }
}

/** Undefined if it is no place in these pieces. */
function pendingAt(
  place: readonly string[],
  pieces: readonly OmittedItems[],
  root: Shape,
): readonly Pending[] | undefined {
  let pending = pendingOf(pieces)
  if (place.length === 0) return pending
  if (!place.every((each) => /^\d{1,9}$/.test(each))) return undefined
  for (let at = 0; ; at += 3) {
    const [piece, item, bytes] = place.slice(at, at + 3).map(Number)
    const [found, ...others] = pending.slice(piece)
    if (found === undefined || item === undefined) return undefined
    const [rest] = after(found, item)
    if (rest === undefined) return undefined
    if (bytes === undefined) return [rest, ...others]
    pending = [...cutFirst(rest, root, bytes).pending, ...after(rest, 1), ...others]
  }
}

/** As many items as fit, in their order. An item that is alone too long is cut itself, or left out if it cannot be. */
function pack(
  pending: readonly Pending[],
  root: Shape,
  bytes: number,
): {
  readonly sent: readonly Sent[]
  readonly left: readonly Pending[]
  readonly tooLarge: string | undefined
} {
  const sent: Sent[] = []
  let free = bytes
  for (const [n, each] of pending.entries()) {
    const { piece } = each
    const shape = shapeAt(root, piece.keys)
    free -= Buffer.byteLength(piece.path) + 40
    let count = 0
    for (const item of piece.items) {
      const size = sizeOf(item, shape) + 1
      if (size > free) break
      free -= size
      count += 1
    }
    if (count > 0) sent.push({ piece: { ...piece, items: piece.items.slice(0, count) }, cuts: new Map() })
    if (count === piece.items.length) continue
    const others = pending.slice(n + 1)
    if (sent.length > 0) return { sent, left: [...after(each, count), ...others], tooLarge: undefined }
    const { path, cuts, pending: inner } = cutFirst(each, root, free - 2)
    const left = [...inner, ...after(each, 1), ...others]
    if (cuts === undefined) return { sent, left, tooLarge: path }
    return {
      sent: [{ piece: { ...piece, items: piece.items.slice(0, 1) }, cuts }],
      left,
      tooLarge: undefined,
    }
  }
  return { sent, left: [], tooLarge: undefined }
}

/** Bytes of an item as it is written, marks included. */
const sizeOf = (item: unknown, shape: Shape | undefined): number =>
  Buffer.byteLength(writeValue(item, shape, false, '', { number: '000000', cuts: new Map(), found() {} }))

function shapeAt(root: Shape, keys: readonly string[]): Shape | undefined {
  let at: Shape | undefined = root
  for (const key of keys) at = at?.fields.get(key)?.shape
  return at
}
