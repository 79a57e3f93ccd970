/**
 * The sizes of a document, found before it is validated. Each fragment is measured once, so a nest of spreads that
 * would expand to millions of fields costs no more than its text.
 */
import { type DocumentNode, type GraphQLError, Kind, type SelectionSetNode } from 'graphql'
import { fragmentsOf } from '../../../shared/graphql/selections.ts'
import { type Limits, tooLarge } from './limits.ts'

/** What is measured, and the words for too much of it. */
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
