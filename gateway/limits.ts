/**
 * Bounds on what one operation may ask, checked before it is validated: validation itself can be made to
 * take seconds. Fragments are measured once each, so a nest of spreads that would expand to millions of
 * fields costs no more than its text.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { tesseraError } from '../subgraphs/lib/errors.ts'

export interface Limits {
  /** Lexical tokens of the document. */
  readonly tokens: number
  /** The deepest selection, root fields being at depth 1. */
  readonly depth: number
  readonly aliases: number
  readonly rootFields: number
  readonly directives: number
  /** Fields after every fragment is spread. */
  readonly fields: number
  /** The longest list in arguments and variables. */
  readonly listItems: number
}

interface Size {
  readonly depth: number
  readonly aliases: number
  readonly rootFields: number
  readonly directives: number
  readonly fields: number
}

const nothing: Size = { depth: 0, aliases: 0, rootFields: 0, directives: 0, fields: 0 }

function tooLarge(what: string, limit: number, found: number, name: string): GraphQLError {
  return tesseraError(
    'OPERATION_TOO_LARGE',
    `The operation has ${what}: ${found}. At most ${limit} are taken.`,
    {
      extensions: { limit: name, maximum: limit, found },
    },
  )
}

/** Every limit that the document passes; an empty list is a document of good size. Fragment cycles are left to validation. */
export function checkDocument(document: DocumentNode, limits: Limits): GraphQLError[] {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
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
        size = add(size, inner, { directives })
      }
    }
    return size
  }

  const errors: GraphQLError[] = []
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const size = add(selectionSize(definition.selectionSet), {
      directives: definition.directives?.length ?? 0,
    })
    if (size.depth > limits.depth) errors.push(tooLarge('too many levels', limits.depth, size.depth, 'depth'))
    if (size.aliases > limits.aliases)
      errors.push(tooLarge('too many aliases', limits.aliases, size.aliases, 'aliases'))
    if (size.rootFields > limits.rootFields) {
      errors.push(tooLarge('too many root fields', limits.rootFields, size.rootFields, 'rootFields'))
    }
    if (size.directives > limits.directives) {
      errors.push(tooLarge('too many directives', limits.directives, size.directives, 'directives'))
    }
    if (size.fields > limits.fields)
      errors.push(tooLarge('too many fields', limits.fields, size.fields, 'fields'))
  }
  return errors
}

function add(a: Size, ...others: Partial<Size>[]): Size {
  let { depth, aliases, rootFields, directives, fields } = a
  for (const other of others) {
    depth = Math.max(depth, other.depth ?? 0)
    aliases += other.aliases ?? 0
    rootFields += other.rootFields ?? 0
    directives += other.directives ?? 0
    fields += other.fields ?? 0
  }
  return { depth, aliases, rootFields, directives, fields }
}

/** The first list in the value that is longer than the limit. Bounded itself: it never walks more than it allows. */
export function checkValue(value: unknown, limits: Limits): GraphQLError | undefined {
  if (value === null || typeof value !== 'object') return undefined
  if (Array.isArray(value)) {
    if (value.length > limits.listItems) {
      return tooLarge('a list that is too long', limits.listItems, value.length, 'listItems')
    }
    for (const item of value) {
      const error = checkValue(item, limits)
      if (error !== undefined) return error
    }
    return undefined
  }
  for (const key in value) {
    const error = checkValue((value as Record<string, unknown>)[key], limits)
    if (error !== undefined) return error
  }
  return undefined
}

/** The same for a list written in the document itself. */
export function checkLiterals(document: DocumentNode, limits: Limits): GraphQLError | undefined {
  const stack: unknown[] = [document]
  while (stack.length > 0) {
    const node = stack.pop()
    if (node === undefined || node === null || typeof node !== 'object') continue
    if (Array.isArray(node)) {
      stack.push(...node)
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
