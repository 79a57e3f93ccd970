/**
 * Writes the response's JSON straight from the merged data, in one pass, with functions generated for the
 * operation's object types. It knows only the good case: at the first value that is not as the schema says it
 * gives up and answers undefined, and `complete.ts` makes the response exactly.
 *
 * What gets into generated code are names of GraphQL (letters, digits, underscores) as string literals, and
 * nothing else.
 */
import { type GraphQLLeafType, isEnumType } from 'graphql'
import { RawJson } from '../../subgraphs/lib/raw-json.ts'
import type { JsonObject } from '../execute/merge.ts'
import type { Conditions, FieldShape, ObjectShape, Position, ValueShape } from './tree.ts'

type Variables = Readonly<Record<string, unknown>>

/** The JSON of a value that is not null; undefined where it is not as it should be. */
type Write = (value: unknown, variables: Variables) => string | undefined

/** The response's data as JSON; undefined where it cannot be told without looking closer. */
export type Writer = (data: JsonObject, variables: Variables) => string | undefined

export function compileWriter(root: Position): Writer {
  return objectWriter(root)
}

function objectWriter(position: Position): Write {
  if (position.only !== undefined) {
    const { only } = position
    let write: Write | undefined
    return (value, variables) => {
      if (typeof value !== 'object') return undefined
      if (write === undefined) {
        const shape = position.for(only)
        if (shape === undefined) return undefined
        write = generate(shape)
      }
      return write(value, variables)
    }
  }
  const writers = new Map<unknown, Write>()
  return (value, variables) => {
    if (typeof value !== 'object') return undefined
    const type = (value as JsonObject).__typename
    let write = writers.get(type)
    if (write === undefined) {
      if (type !== undefined && typeof type !== 'string') return undefined
      const shape = position.for(type)
      if (shape === undefined) return undefined
      write = generate(shape)
      writers.set(type, write)
    }
    return write(value, variables)
  }
}

function valueWriter(value: ValueShape): Write {
  switch (value.kind) {
    case 'leaf':
      return leafWriter(value.type)
    case 'list':
      return listWriter(valueWriter(value.item), value.itemNonNull)
    case 'object':
      return objectWriter(value.position)
    case 'typename':
    case 'introspection':
      return () => undefined
  }
}

function listWriter(item: Write, itemNonNull: boolean): Write {
  return (value, variables) => {
    if (!Array.isArray(value)) return undefined
    let text = '['
    for (let i = 0; i < value.length; i++) {
      if (i > 0) text += ','
      const each: unknown = value[i]
      if (each == null) {
        if (itemNonNull) return undefined
        text += 'null'
        continue
      }
      const written = item(each, variables)
      if (written === undefined) return undefined
      text += written
    }
    return `${text}]`
  }
}

function leafWriter(type: GraphQLLeafType): Write {
  if (isEnumType(type)) {
    const texts = new Map<unknown, string>(type.getValues().map(({ name }) => [name, `"${name}"`]))
    return (value) => texts.get(value)
  }
  switch (type.name) {
    case 'String':
      return writeString
    case 'ID':
      return (value) => (Number.isSafeInteger(value) ? `"${String(value)}"` : writeString(value))
    case 'Int':
      return (value) => (typeof value === 'number' && (value | 0) === value ? String(value) : undefined)
    case 'Float':
      return (value) => (typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined)
    case 'Boolean':
      return (value) => (value === true ? 'true' : value === false ? 'false' : undefined)
    default:
      return (value) => {
        if (typeof value === 'string') return writeString(value)
        return value instanceof RawJson ? value.text : JSON.stringify(value)
      }
  }
}

/** Up to this length looking at each character is cheaper than calling the engine's own. */
const shortText = 40

function writeString(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const { length } = value
  if (length > shortText) return JSON.stringify(value)
  for (let i = 0; i < length; i++) {
    const code = value.charCodeAt(i)
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) {
      return JSON.stringify(value)
    }
  }
  return `"${value}"`
}

/** A function that writes the fields of one type, one after the other. */
function generate(shape: ObjectShape): Write {
  const writers: Write[] = []
  const lines: string[] = []
  // Everything up to a field whose presence hangs on variables has a comma known now.
  let separated: 'never' | 'always' | 'maybe' = 'never'
  let pending = '{'
  for (const field of shape.fields) {
    const label = `${JSON.stringify(field.key)}:`
    const conditional = field.conditions !== undefined
    if (conditional) {
      if (pending !== '') lines.push(`s += ${JSON.stringify(pending)};`)
      pending = ''
      lines.push(`if (${condition(field.conditions)}) {`)
    }
    if (separated === 'maybe') lines.push(`if (s.length > 1) s += ',';`)
    const lead = separated === 'always' ? `,${label}` : label
    if (field.value.kind === 'typename' && shape.concrete) {
      pending += `${lead}"${shape.type}"`
    } else {
      lines.push(...fieldLines(field, `${pending}${lead}`, writers))
      pending = ''
    }
    if (conditional) {
      if (pending !== '') lines.push(`s += ${JSON.stringify(pending)};`)
      pending = ''
      lines.push('}')
      if (separated === 'never') separated = 'maybe'
    } else separated = 'always'
  }
  const code = `'use strict';
return function writeObject(d, v) {
  let s = '', x, y;
  ${lines.join('\n  ')}
  return s + ${JSON.stringify(`${pending}}`)};
}`
  const names = writers.map((_, index) => `w${index}`)
  const make = new Function('own', ...names, code) as (...parts: unknown[]) => Write
  return make(Object.hasOwn, ...writers)
}

function fieldLines(field: FieldShape, lead: string, writers: Write[]): string[] {
  const key = JSON.stringify(field.key)
  // Keys that every object inherits are there only if they are its own.
  const value = field.key in Object.prototype ? `own(d, ${key}) ? d[${key}] : undefined` : `d[${key}]`
  const writer = `w${writers.push(valueWriter(field.value)) - 1}`
  const text = JSON.stringify(lead)
  const filled = [`y = ${writer}(x, v);`, 'if (y === undefined) return undefined;', `s += ${text} + y;`]
  const whenNull = field.nonNull ? 'return undefined;' : `s += ${JSON.stringify(`${lead}null`)};`
  return [`x = ${value};`, `if (x == null) { ${whenNull} } else { ${filled.join(' ')} }`]
}

function condition(conditions: Conditions): string {
  return (conditions ?? [])
    .map((all) =>
      all
        .map(({ variable, value }) => `(v[${JSON.stringify(variable)}] ${value ? '===' : '!=='} true)`)
        .join(' && '),
    )
    .map((each) => `(${each})`)
    .join(' || ')
}
