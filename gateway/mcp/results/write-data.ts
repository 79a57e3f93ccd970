/** Writes the data of an answer as compact JSON: marked, escaped, and without what was cut off. */
import { isObject } from '../../../shared/json/is-object.ts'
import { hiddenEdges, type PageKeys, type Shape } from './shape.ts'
import { marked, quotedJson, withInvisibleEscaped } from './text-marks.ts'

/** How many items of each list are kept; lists that are not here are whole. */
export type Cuts = ReadonlyMap<readonly unknown[], number>

/** How the texts of strangers are marked. */
export interface Marking {
  /** The number of the marks. */
  readonly number: string
  /** Gets the JSON pointer of each of these texts. */
  found(pointer: string): void
}

interface Writing extends Marking {
  readonly cuts: Cuts
}

type Fields = Readonly<Record<string, unknown>>

/** A step of a JSON pointer (RFC 6901). */
export const step = (key: string | number): string =>
  `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

export function writeValue(
  value: unknown,
  shape: Shape | undefined,
  isUntrusted: boolean,
  pointer: string,
  writing: Writing,
): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) {
    if (isUntrusted && value.some((each) => typeof each === 'object' && each !== null))
      return writeStranger(value, pointer, writing)
    const kept = writing.cuts.get(value) ?? value.length
    const items: string[] = []
    for (let at = 0; at < kept; at += 1)
      items.push(writeValue(value[at], shape, isUntrusted, `${pointer}/${at}`, writing))
    return `[${items.join(',')}]`
  }
  if (isUntrusted) return writeStranger(value, pointer, writing)
  if (shape === undefined || !isObject(value)) return writeLeaf(value)
  return writeObject(value, shape, pointer, writing)
}

/** JSON that strangers wrote is a text as a whole: its keys are theirs as well. */
function writeStranger(value: unknown, pointer: string, { number, found }: Writing): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  found(pointer)
  return quotedJson(marked(typeof value === 'string' ? value : JSON.stringify(value), number))
}

export const writeLeaf = (value: unknown): string =>
  typeof value === 'string' ? quotedJson(value) : withInvisibleEscaped(JSON.stringify(value) ?? 'null')

function writeObject(value: Fields, shape: Shape, pointer: string, writing: Writing): string {
  const shown = shape.page === undefined ? value : withPage(value, shape.page, writing.cuts)
  const members: string[] = []
  for (const [key, member] of Object.entries(shown)) {
    if (key === hiddenEdges) continue
    const field = shape.fields.get(key)
    const at = pointer + step(key)
    members.push(
      `${quotedJson(key)}:${writeValue(member, field?.shape, field?.isUntrusted ?? false, at, writing)}`,
    )
  }
  return `{${members.join(',')}}`
}

/** A connection of which items were cut off ends with the last one that is kept, or where it began if none is. */
function withPage(value: Fields, page: PageKeys, cuts: Cuts): Fields {
  const lists = page.items.flatMap((key) => {
    const list = value[key]
    return Array.isArray(list) ? [list] : []
  })
  const kept = lists.map((list) => cuts.get(list)).find((count) => count !== undefined)
  const { info } = page
  if (kept === undefined || info === undefined) return value
  const before = value[info.key]
  if (!isObject(before)) return value
  const after: Record<string, unknown> = { ...before }
  for (const key of info.hasNextPage) after[key] = true
  for (const key of info.endCursor) after[key] = cursorAt(value, page, kept - 1)
  return { ...value, [info.key]: after }
}

function cursorAt(value: Fields, { cursors, after }: PageKeys, at: number): unknown {
  if (at < 0) return after
  if (cursors === undefined) return null
  const [list, key] = cursors
  const edges = value[list]
  const edge: unknown = Array.isArray(edges) ? edges[at] : undefined
  return isObject(edge) ? (edge[key] ?? null) : null
}
