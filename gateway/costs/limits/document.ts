/**
 * The limits on the text, the document, and the variables of an operation. Each fragment is measured once, so a nest of
 * spreads that would expand to millions of fields costs no more than its text.
 */

import { type DocumentNode, type GraphQLError, Kind, type SelectionSetNode } from 'graphql'
import type { z } from 'zod'
import { badInput, tesseraError } from '../../../shared/errors.ts'
import { fragmentsOf } from '../../../shared/graphql/selections.ts'
import type { limits } from '../config.ts'

const excesses = {
  depth: 'too many levels',
  nesting: 'too many fields and fragments within each other',
  aliases: 'too many aliases',
  rootFields: 'too many root fields',
  directives: 'too many directives',
  fields: 'too many fields',
} as const
const measures = Object.keys(excesses) as (keyof typeof excesses)[]

type Size = Readonly<Record<keyof typeof excesses, number>>

const nothing: Size = { depth: 0, nesting: 0, aliases: 0, rootFields: 0, directives: 0, fields: 0 }

/** Every limit that the document exceeds. Fragment cycles are left to validation. */
export function checkDocument(document: DocumentNode, limits: Limits): GraphQLError[] {
  const fragments = fragmentsOf(document)
  const measured = new Map<string, Size>()
  const open = new Set<string>()

  function fragmentSize(name: string): Size {
    const known = measured.get(name)
    if (known !== undefined) return known
    const fragment = fragments.get(name)
    if (fragment === undefined || open.has(name)) return nothing
    open.add(name)
    const size = add(selectionSize(fragment.selectionSet), { directives: fragment.directives?.length ?? 0 })
    open.delete(name)
    measured.set(name, size)
    return size
  }

  function selectionSize(set: SelectionSetNode): Size {
    let size = nothing
    for (const selection of set.selections) {
      const directives = selection.directives?.length ?? 0
      if (selection.kind === Kind.FIELD) {
        const inner = selection.selectionSet === undefined ? nothing : selectionSize(selection.selectionSet)
        size = {
          depth: Math.max(size.depth, inner.depth + 1),
          nesting: Math.max(size.nesting, inner.nesting + 1),
          aliases: size.aliases + inner.aliases + (selection.alias === undefined ? 0 : 1),
          rootFields: size.rootFields + 1,
          directives: size.directives + inner.directives + directives,
          fields: size.fields + inner.fields + 1,
        }
      } else {
        const inner =
          selection.kind === Kind.FRAGMENT_SPREAD
            ? fragmentSize(selection.name.value)
            : selectionSize(selection.selectionSet)
        size = add(size, { ...inner, nesting: inner.nesting + 1 }, { directives })
      }
    }
    return size
  }

  const errors = new Map<string, GraphQLError>()
  let fields = 0
  const measure = (size: Size): void => {
    fields += size.fields
    const found = { ...size, fields }
    for (const name of measures)
      if (found[name] > limits[name] && !errors.has(name))
        errors.set(name, tooLarge(excesses[name], limits[name], found[name], name))
  }
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const { selectionSet, directives = [] } = definition
    measure(add(selectionSize(selectionSet), { directives: directives.length }))
  }
  // Validation refuses unused fragments, but reads them first.
  for (const name of fragments.keys()) if (!measured.has(name)) measure(fragmentSize(name))
  return [...errors.values()]
}

function add(a: Size, ...others: Partial<Size>[]): Size {
  let { depth, nesting, aliases, rootFields, directives, fields } = a
  for (const other of others) {
    depth = Math.max(depth, other.depth ?? 0)
    nesting = Math.max(nesting, other.nesting ?? 0)
    aliases += other.aliases ?? 0
    rootFields += other.rootFields ?? 0
    directives += other.directives ?? 0
    fields += other.fields ?? 0
  }
  return { depth, nesting, aliases, rootFields, directives, fields }
}

export type Limits = Readonly<
  Pick<
    z.output<typeof limits>,
    | 'tokens'
    | 'nesting'
    | 'depth'
    | 'aliases'
    | 'rootFields'
    | 'directives'
    | 'fields'
    | 'listItems'
    | 'values'
  >
>

export function tooLarge(what: string, limit: number, found: number, name: keyof Limits): GraphQLError {
  return tesseraError(
    'OPERATION_TOO_LARGE',
    `The operation has ${what}: ${found}. At most ${limit} are allowed.`,
    { extensions: { limit: name, maximum: limit, found } },
  )
}

const quote = 0x22
const backslash = 0x5c
const hash = 0x23
const lineFeed = 0x0a
const carriageReturn = 0x0d

export function checkNesting(text: string, { nesting }: Pick<Limits, 'nesting'>): GraphQLError | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x28: // (
      case 0x5b: // [
      case 0x7b: // {
        depth += 1
        if (depth > nesting) return tooLarge('too many brackets within brackets', nesting, depth, 'nesting')
        break
      case 0x29: // )
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1
        break
      case quote:
        at = text.startsWith('"""', at) ? blockStringEnd(text, at + 3) : stringEnd(text, at + 1)
        break
      case hash:
        at = lineEnd(text, at)
    }
  }
  return undefined
}

/** The position of the closing quote, or of the last character before the line or the text ends. */
function stringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at += 1
    else if (code === quote || code === lineFeed || code === carriageReturn) return at
  }
  return text.length
}

function blockStringEnd(text: string, from: number): number {
  for (let at = text.indexOf('"""', from); at !== -1; at = text.indexOf('"""', at + 3)) {
    if (text.charCodeAt(at - 1) !== backslash) return at + 2
  }
  return text.length
}

function lineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === lineFeed || code === carriageReturn) return at
  }
  return text.length
}

/**
 * The first list in the value that is longer than the limit, or that the value nests deeper than the limit; or a number
 * that no double holds (`Infinity`).
 */
export function checkValue(
  value: unknown,
  limits: Pick<Limits, 'nesting' | 'listItems'>,
  depth = 1,
): GraphQLError | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return badInput(largeNumber)
  if (value === null || typeof value !== 'object') return undefined
  if (depth > limits.nesting)
    return tooLarge('variables with too many levels', limits.nesting, depth, 'nesting')
  if (Array.isArray(value)) {
    if (value.length > limits.listItems) {
      return tooLarge('a list that is too long', limits.listItems, value.length, 'listItems')
    }
    for (const item of value) {
      const error = checkValue(item, limits, depth + 1)
      if (error !== undefined) return error
    }
    return undefined
  }
  for (const key in value) {
    const error = checkValue((value as Record<string, unknown>)[key], limits, depth + 1)
    if (error !== undefined) return error
  }
  return undefined
}

const largeNumber =
  'A number in the variables does not fit into a double: send it as a string, or write it into the document.'

/** The first list written in the document that is longer than the limit. */
export function checkLiterals(document: DocumentNode, limits: Limits): GraphQLError | undefined {
  const stack: unknown[] = [document]
  while (stack.length > 0) {
    const node = stack.pop()
    if (node === undefined || node === null || typeof node !== 'object') continue
    if (Array.isArray(node)) {
      for (const each of node) stack.push(each)
      continue
    }
    const { kind, values } = node as { kind?: unknown; values?: readonly unknown[] }
    if (kind === Kind.LIST && values !== undefined && values.length > limits.listItems) {
      return tooLarge('a list that is too long', limits.listItems, values.length, 'listItems')
    }
    for (const key in node) if (key !== 'loc') stack.push((node as Record<string, unknown>)[key])
  }
  return undefined
}
