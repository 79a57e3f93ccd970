/**
 * The lists of a response as rows: each object is a row, and each of its plain values a column. Also finds rows, and
 * text in a response. Pure.
 */
import { ExactNumber } from '../../../shared/json/exact-number.ts'
import { isObject } from '../../../shared/json/is-object.ts'
import { type Json, objectOf } from '../json.ts'
import type { Span } from '../stream/json-spans.ts'
import { plural } from './format-numbers.ts'

export interface Table {
  /** The place of the list, such as `chartVideos.nodes`. */
  readonly path: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** Undefined if the row has no such column. */
export type Cell = string | number | boolean | null | undefined

/** Bounds what is shown and exported, because a response may have any form. */
const mostColumns = 60
const mostTables = 20
const deepest = 20

export function tablesIn(answer: unknown): Table[] {
  const tables: Table[] = []
  const walk = (value: unknown, path: readonly string[]): void => {
    if (tables.length >= mostTables || path.length > deepest) return
    if (Array.isArray(value)) {
      const table = tableOf(value, path.join('.'))
      if (table !== undefined) tables.push(table)
      return
    }
    if (!isObject(value)) return
    for (const [key, each] of Object.entries(value)) walk(each, [...path, key])
  }
  walk(objectOf(answer).data, [])
  return tables
}

function tableOf(list: readonly unknown[], path: string): Table | undefined {
  if (list.length === 0) return undefined
  const columns = new Set<string>()
  const rows = list.map((item) => {
    const cells = new Map<string, Cell>()
    if (isNested(item)) flatten(item, '', cells, 0)
    else cells.set('value', plain(item))
    for (const column of cells.keys()) if (columns.size < mostColumns) columns.add(column)
    return cells
  })
  if (columns.size === 0) return undefined
  const names = [...columns]
  return { path, columns: names, rows: rows.map((cells) => names.map((name) => cells.get(name))) }
}

/** A number with many digits is a value, although it is an object. */
const isNested = (value: unknown): value is Json => isObject(value) && !(value instanceof ExactNumber)

/** Fields of nested objects become columns, too. The `node` of an edge is not part of the name. */
function flatten(item: Json, prefix: string, cells: Map<string, Cell>, depth: number): void {
  for (const [key, value] of Object.entries(item)) {
    const name = key === 'node' && isObject(value) ? prefix : prefix === '' ? key : `${prefix}.${key}`
    if (isNested(value) && depth < deepest) flatten(value, name, cells, depth + 1)
    else cells.set(name === '' ? key : name, plain(value))
  }
}

/** A list of plain values is one cell. For a list of objects, the cell has their number. */
function plain(value: unknown): Cell {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'string') return value
  if (value instanceof ExactNumber) return value.source
  if (Array.isArray(value))
    return value.some((each) => isNested(each) || Array.isArray(each))
      ? plural(value.length, 'item')
      : value.join(', ')
  return undefined
}

export const cellText = (cell: Cell): string =>
  cell === null ? 'null' : cell === undefined ? '' : String(cell)

/** The rows that contain the text in any cell. */
export function rowsWith({ rows }: Table, text: string): Table['rows'] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return rows
  return rows.filter((row) => row.some((cell) => cellText(cell).toLowerCase().includes(wanted)))
}

/**
 * CSV by RFC 4180. Spreadsheets run a cell that begins like a formula, and responses contain what strangers wrote.
 * An apostrophe before it makes the spreadsheet show it as text.
 */
export function csvOf({ columns }: Table, rows: Table['rows']): string {
  const cell = (value: Cell): string => {
    const text = String(value ?? '')
    const safe =
      typeof value === 'string' && /^[=+\-@\t\r]/.test(text) && !isNumeric(text) ? `'${text}` : text
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  return [columns, ...rows]
    .map((row) => row.map(cell).join(','))
    .join('\r\n')
    .concat('\r\n')
}

const isNumeric = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))

const mostFound = 1000

/** The places of a text in another one, ignoring case, up to a bound. */
export function findInText(text: string, wanted: string): readonly Span[] {
  const found: Span[] = []
  if (wanted.trim() === '') return found
  const lower = text.toLowerCase()
  // A few letters become longer in lower case, which would shift the places.
  const [haystack, needle] = lower.length === text.length ? [lower, wanted.toLowerCase()] : [text, wanted]
  for (let at = haystack.indexOf(needle); at >= 0 && found.length < mostFound; ) {
    found.push({ from: at, to: at + needle.length })
    at = haystack.indexOf(needle, at + needle.length)
  }
  return found
}
