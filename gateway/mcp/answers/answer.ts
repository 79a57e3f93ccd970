/** Makes answers of results and of what was cut off of them, each within its bound. */
import { type DocumentNode, type GraphQLError, type GraphQLSchema, parse } from 'graphql'
import { parseExactly } from '../../../shared/json/exact-number.ts'
import { bytesOfToken, mistake, type ToolAnswer } from '../tools/tool.ts'
import { cut, type Piece } from './cut.ts'
import { errorsWithin } from './errors.ts'
import { markNumber } from './marks.ts'
import type { RestStore } from './rest.ts'
import { type Shape, shapeOf } from './shape.ts'
import type { IsStranger } from './strangers.ts'
import { type Cuts, writeLeaf, writeValue } from './write.ts'

interface AnswerOptions {
  readonly schema: GraphQLSchema
  readonly isStranger: IsStranger
  readonly rest: RestStore
  readonly structured: boolean
}

export interface AnswerParts {
  readonly caller: string
  readonly maxTokens: number
  /** The document that was executed. */
  readonly query: string
  readonly operationName: string | undefined
  /** Whether it has changed something. */
  readonly isChange?: boolean | undefined
}

export type Answers = ReturnType<typeof createAnswers>

/** What is kept for a handle. */
interface Rest {
  readonly query: string
  readonly operationName: string | undefined
  readonly pieces: readonly Piece[]
}

/** For what is said of what was cut off. */
const moreBytes = 320
const pathsBytes = 200

export function createAnswers({ schema, isStranger, rest, structured }: AnswerOptions) {
  const shapeIn = (document: DocumentNode, name: string | undefined): Shape =>
    shapeOf(schema, document, name, isStranger)

  const keep = async (caller: string, { query, operationName, pieces }: Rest): Promise<string | undefined> =>
    pieces.length === 0
      ? undefined
      : rest.put(caller, JSON.stringify({ query, operationName, pieces } satisfies Rest))

  const finished = (text: string, pointers: readonly string[], isError = false): ToolAnswer => ({
    text,
    ...(pointers.length === 0 ? {} : { strangers: pointers }),
    ...(isError ? { isError } : {}),
    ...(structured ? { structured: JSON.parse(text) as Readonly<Record<string, unknown>> } : {}),
  })

  return {
    /** Of a result of the pipeline. */
    async ofResult(
      { data, errors }: { readonly data: unknown; readonly errors: readonly GraphQLError[] },
      { caller, maxTokens, query, operationName, isChange }: AnswerParts,
    ): Promise<ToolAnswer> {
      const bytes = maxTokens * bytesOfToken
      if (data === null || data === undefined) {
        const told = errorsWithin(errors, bytes - '{"data":null,"errors":}'.length)
        return finished(`{"data":null${told === '' ? '' : `,"errors":${told}`}}`, [], true)
      }
      const told = errorsWithin(errors, bytes / 2)
      const ofErrors = told === '' ? '' : `,"errors":${told}`
      const shape = shapeIn(parse(query, { noLocation: true }), operationName)
      const room = bytes - Buffer.byteLength(ofErrors) - '{"marks":"000000","data":}'.length
      let shortened = cut(data, shape, room)
      if (shortened !== undefined && shortened.pieces.length > 0)
        shortened = cut(data, shape, room - moreBytes)
      if (shortened === undefined) {
        const made = isChange ? 'The change was made, but for what errors say: do not repeat it. ' : ''
        return mistake(
          `${made}The answer does not fit into ${maxTokens} tokens, and no list in it can be cut: ask for fewer fields.${told === '' ? '' : ` Errors: ${told}`}`,
        )
      }
      const { pieces, cuts } = shortened
      const written = write((number, found) =>
        writeValue(data, shape, false, '/data', { number, cuts, found }),
      )
      const handle = await keep(caller, { query, operationName, pieces })
      const more = pieces.length === 0 ? '' : `,"more":${moreOf(handle, pieces)}`
      return finished(`{${written.head}"data":${written.text}${ofErrors}${more}}`, written.pointers)
    },

    /** Of what was cut off before; undefined if the handle is not one of this caller's. */
    async ofRest(handle: string, caller: string, maxTokens: number): Promise<ToolAnswer | undefined> {
      const found = await rest.get(caller, handle)
      if (found === undefined) return undefined
      const { query, operationName, pieces } = parseExactly(found) as Rest
      const shape = shapeIn(parse(query, { noLocation: true }), operationName)
      const { sent, left, tooLarge } = pack(pieces, shape, maxTokens * bytesOfToken - moreBytes - 60)
      const written = write(
        (number, note) =>
          `[${sent
            .map(({ piece, cuts }, at) => {
              const items = writeValue(piece.items, shapeAt(shape, piece.keys), false, `/rest/${at}/items`, {
                number,
                cuts,
                found: note,
              })
              return `{"path":${writeLeaf(piece.path)},"from":${piece.from},"items":${items}}`
            })
            .join(',')}]`,
      )
      const next = await keep(caller, { query, operationName, pieces: left })
      const more = left.length === 0 ? '' : `,"more":${moreOf(next, left)}`
      const lost = tooLarge === undefined ? '' : `,"tooLarge":${writeLeaf(tooLarge)}`
      return finished(`{${written.head}"rest":${written.text}${lost}${more}}`, written.pointers)
    },
  }
}

/** Writes once to see the texts of strangers, and once with a number that stands in none of them. */
function write(once: (number: string, found: (pointer: string) => void) => string): {
  readonly head: string
  readonly text: string
  readonly pointers: readonly string[]
} {
  const pointers: string[] = []
  const bare = once('', (pointer) => void pointers.push(pointer))
  if (pointers.length === 0) return { head: '', text: bare, pointers }
  const number = markNumber([bare])
  return { head: `"marks":"${number}",`, text: once(number, () => {}), pointers }
}

/** What a model reads of what was cut off: how to go on, and of which lists. */
function moreOf(handle: string | undefined, pieces: readonly Piece[]): string {
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
  readonly piece: Piece
  readonly cuts: Cuts
}

/** As many items as fit, in their order. An item that is alone too long is cut itself, or left out if it cannot be. */
function pack(
  pieces: readonly Piece[],
  root: Shape,
  bytes: number,
): {
  readonly sent: readonly Sent[]
  readonly left: readonly Piece[]
  readonly tooLarge: string | undefined
} {
  const sent: Sent[] = []
  let free = bytes
  for (const [n, piece] of pieces.entries()) {
    const shape = shapeAt(root, piece.keys)
    free -= Buffer.byteLength(piece.path) + 40
    let count = 0
    for (const item of piece.items) {
      const size = sizeOf(item, shape) + 1
      if (size > free) break
      free -= size
      count += 1
    }
    const after = (from: number): Piece[] =>
      from >= piece.items.length
        ? []
        : [{ ...piece, from: piece.from + from, items: piece.items.slice(from) }]
    if (count > 0) sent.push({ piece: { ...piece, items: piece.items.slice(0, count) }, cuts: new Map() })
    if (count === piece.items.length) continue
    const others = pieces.slice(n + 1)
    if (sent.length > 0) return { sent, left: [...after(count), ...others], tooLarge: undefined }
    const path = `${piece.path}/${piece.from}`
    const [first] = piece.items
    const inner = cut(first, shape, free - 2, { path, keys: piece.keys })
    const left = [...(inner?.pieces ?? []), ...after(1), ...others]
    if (inner === undefined) return { sent, left, tooLarge: path }
    return { sent: [{ piece: { ...piece, items: [first] }, cuts: inner.cuts }], left, tooLarge: undefined }
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
