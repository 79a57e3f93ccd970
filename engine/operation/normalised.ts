/**
 * A normalised operation: fragments are spread, and each field has the object types and the conditions for which it
 * is selected. It is made once from a valid document, and all readers of the operation use it.
 *
 * A field that is written once is one object with one id, however many fragments spread it. The size is therefore
 * that of the document's selection sets with their fragments spread, and not that of the whole expanded operation.
 */
import {
  type ArgumentNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  print,
  type SelectionNode,
  type SelectionSetNode,
  type VariableDefinitionNode,
} from 'graphql'
import { tesseraError } from '../../shared/errors.ts'
import { type Condition, conditionsOf } from '../../shared/graphql/conditions.ts'
import { type Fragments, fragmentsOf, responseKey } from '../../shared/graphql/selections.ts'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import { memoByObject } from '../../shared/runtime/memo.ts'
import { estimatedBytes } from '../cache-memory.ts'
import {
  type IncrementalDirective,
  incrementalDirectiveOf,
  isIncremental,
} from '../executor/incremental/directives.ts'
import { always, and, type Conjunction } from './conditions.ts'
import { narrowed, noTypes, type ObjectTypes, type TypeSource, typesOf } from './type-source.ts'

export interface NormalisedOperation {
  readonly kind: OperationTypeNode
  readonly name: string | undefined
  /** The name of the root type. */
  readonly type: string
  readonly variables: readonly VariableDefinitionNode[]
  readonly directives: readonly DirectiveNode[]
  readonly selections: readonly Selection[]
  /** Every field of the operation and its fragments, once. */
  readonly fields: readonly NormalisedField[]
}

/** A field at one place of the document. */
export interface NormalisedField {
  /** Identifies the field in its operation, and in what a caller may see of the operation. */
  readonly id: number
  /** The response key. */
  readonly key: string
  readonly name: string
  /** The type condition of the innermost fragment around it, or the declared type. */
  readonly parent: string
  /** The type conditions of the fragments around it within its selection set. At the root also the root type. */
  readonly around: readonly string[]
  /** The named type of its values. Undefined if the parent has no such field. */
  readonly output: string | undefined
  /** The arguments as they are written, with literals and variables. */
  readonly arguments: readonly ArgumentNode[]
  /** The directives other than `@skip`, `@include` and `@stream`. */
  readonly directives: readonly DirectiveNode[]
  readonly stream: IncrementalDirective | undefined
  /** The selections of its objects. Undefined for a leaf. */
  readonly selections: readonly Selection[] | undefined
  /** Whether it selects a field other than `__typename` outside of fragments. */
  readonly selectsDirectly: boolean
  /** The parsed node, or those that it represents in a divided operation. Introspection executes them. */
  readonly nodes: readonly FieldNode[]
}

/**
 * The selection of a field by another field, or by the operation. Selections with equal conditions and types are one.
 */
export interface Selection {
  readonly field: NormalisedField
  /** The conditions of the field and of all fragments around it. Undefined if they never hold. */
  readonly when: Conjunction | undefined
  /** The type conditions of the fragments around it, each once. */
  readonly on: readonly string[]
  /** The object types of the declared type that meet all type conditions. None if the conditions exclude each other. */
  readonly types: ObjectTypes
  /** The directives of the fragments around it, printed, without `@skip`, `@include` and `@defer`. */
  readonly wraps: readonly string[]
  /** The `@defer` directives of the fragments around it, the outermost first. */
  readonly deferred: readonly IncrementalDirective[]
}

/** The most selections of an operation. The limits on documents are far lower. */
const mostSelections = 50_000

/** Normalises an operation. Throws `OPERATION_TOO_LARGE` if it has too many selections. */
export function normalise(
  types: TypeSource,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  type: string,
): NormalisedOperation {
  return new Normaliser(types, fragmentsOf(document)).normalise(operation, type)
}

/** Normalises an operation of a document that is valid for this schema. */
export function normaliseOver(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): NormalisedOperation {
  const root = schema.getRootType(operation.operation)
  if (root == null) throw new Error(`The schema has no type for a ${operation.operation}.`)
  return normalise(typesOf(schema), document, operation, root.name)
}

const untyped: TypeSource = { possible: () => noTypes, output: () => undefined }

/** A selection set without named fragments, whatever its type. No object types are known of it. */
export const selectionsOf = memoByObject((set: SelectionSetNode): readonly Selection[] =>
  new Normaliser(untyped, new Map()).selectionsOf(set),
)

/** The selections of a document with one operation, without a schema. Their object types are not known. */
export const selectionsIn = memoByObject((document: DocumentNode): readonly Selection[] => {
  const operation = getOperationAST(document)
  if (operation == null) return []
  return new Normaliser(untyped, fragmentsOf(document)).selectionsOf(operation.selectionSet)
})

/** Normalises the operation of this name, or the only one. Undefined if there is none. */
export function normalisedIn(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): NormalisedOperation | undefined {
  const operation = getOperationAST(document, operationName)
  if (operation == null || schema.getRootType(operation.operation) == null) return undefined
  return normaliseOver(schema, document, operation)
}

/** The estimated heap bytes of an operation, without the syntax tree that it was made from. */
export function normalisedBytes({ selections, fields }: NormalisedOperation): number {
  const all = fields.reduce((sum, field) => sum + (field.selections?.length ?? 0), selections.length)
  return fields.length * estimatedBytes.normalisedField + all * estimatedBytes.selection
}

interface MutableField extends NormalisedField {
  selections: readonly Selection[] | undefined
}

/** The fragments and conditions around a selection, within the selection set of a field or a fragment. */
interface Around extends Omit<Selection, 'field'> {
  /** The type condition of the innermost fragment, or the declared type. */
  readonly parent: string
  /** All type conditions, as they are written. */
  readonly named: readonly string[]
}

const nowhere: readonly string[] = []
const noneDeferred: readonly IncrementalDirective[] = []
const outermost = { when: always, on: nowhere, wraps: nowhere, deferred: noneDeferred }

class Normaliser {
  readonly #types: TypeSource
  readonly #fragments: Fragments
  readonly #fields: MutableField[] = []
  readonly #ofFragments = new Map<string, readonly Selection[]>()
  readonly #narrowed = new Map<ObjectTypes, Map<ObjectTypes, ObjectTypes>>()
  #size = 0

  constructor(types: TypeSource, fragments: Fragments) {
    this.#types = types
    this.#fragments = fragments
  }

  selectionsOf(selectionSet: SelectionSetNode, type = ''): readonly Selection[] {
    const selections = this.#selectionsOf(selectionSet, type, [type])
    // The list grows during the walk.
    for (const field of this.#fields) {
      const set = field.nodes[0]?.selectionSet
      if (set !== undefined) field.selections = this.#selectionsOf(set, field.output ?? '', nowhere)
    }
    return selections
  }

  normalise(operation: OperationDefinitionNode, type: string): NormalisedOperation {
    const { operation: kind, name, selectionSet, variableDefinitions = [], directives } = operation
    return {
      kind,
      name: name?.value,
      type,
      variables: variableDefinitions,
      directives: directives ?? noDirectives,
      selections: this.selectionsOf(selectionSet, type),
      fields: this.#fields,
    }
  }

  #selectionsOf(set: SelectionSetNode, declared: string, named: readonly string[]): readonly Selection[] {
    const found = new Found()
    const types = this.#types.possible(declared)
    this.#spread(set, { ...outermost, parent: declared, named, types }, found)
    return found.all
  }

  #spread(set: SelectionSetNode, around: Around, into: Found): void {
    for (const node of set.selections) {
      const when = joined(around.when, conditionsOf(node))
      if (node.kind === Kind.FIELD) {
        const { on, types, wraps, deferred } = around
        this.#count()
        into.all.push({ field: this.#fieldFrom(node, around), when, on, types, wraps, deferred })
        continue
      }
      const wrap = printed(node)
      const wraps = wrap === '' ? around.wraps : [...around.wraps, wrap]
      const directive = incrementalDirectiveOf(node)
      const deferred = directive === undefined ? around.deferred : [...around.deferred, directive]
      const here = { ...around, when, wraps, deferred }
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        this.#bring(node.name.value, here, into)
        continue
      }
      const type = node.typeCondition?.name.value
      this.#spread(node.selectionSet, type === undefined ? here : this.#inside(type, here), into)
    }
  }

  #inside(type: string, around: Around): Around {
    const { on, types, named } = around
    return {
      ...around,
      parent: type,
      named: [...named, type],
      on: withType(on, type),
      types: this.#within(types, this.#types.possible(type)),
    }
  }

  /** Adds what a spread of the fragment selects: the same objects if nothing around it narrows them. */
  #bring(name: string, { when: outer, on, types, wraps, deferred }: Around, into: Found): void {
    into.spreads += 1
    const isPlain = on.length + wraps.length + deferred.length === 0
    let [lastOn, listed] = [nowhere, on]
    for (const each of this.#ofFragment(name)) {
      this.#count()
      const left = this.#within(types, each.types)
      const when = joined(outer, each.when?.all)
      if (isPlain && when === each.when && left.names.length === each.types.names.length) {
        into.addSpread(each)
        continue
      }
      if (each.on !== lastOn) [lastOn, listed] = [each.on, each.on.reduce(withType, on)]
      into.addSpread({
        field: each.field,
        when,
        on: listed,
        types: left,
        wraps: each.wraps.length === 0 ? wraps : [...wraps, ...each.wraps],
        deferred: each.deferred.length === 0 ? deferred : [...deferred, ...each.deferred],
      })
    }
  }

  #ofFragment(name: string): readonly Selection[] {
    const known = this.#ofFragments.get(name)
    if (known !== undefined) return known
    // Prevents endless recursion: a fragment that spreads itself, which no valid document has, adds nothing.
    this.#ofFragments.set(name, [])
    const fragment = this.#fragments.get(name)
    const found = new Found()
    if (fragment !== undefined) {
      const type = fragment.typeCondition.name.value
      const on = [type]
      const types = this.#types.possible(type)
      this.#spread(fragment.selectionSet, { ...outermost, parent: type, named: on, on, types }, found)
    }
    this.#ofFragments.set(name, found.all)
    return found.all
  }

  #fieldFrom(node: FieldNode, { parent, named }: Around): NormalisedField {
    const name = node.name.value
    const field: MutableField = {
      id: this.#fields.length,
      key: responseKey(node),
      name,
      parent,
      around: named,
      output: this.#types.output(parent, name),
      arguments: node.arguments ?? noArguments,
      directives: directivesOf(node),
      stream: incrementalDirectiveOf(node),
      selections: undefined,
      selectsDirectly: selectsDirectly(node),
      nodes: [node],
    }
    this.#fields.push(field)
    return field
  }

  #count(): void {
    this.#size += 1
    if (this.#size <= mostSelections) return
    throw tesseraError(
      'OPERATION_TOO_LARGE',
      `The operation selects more than ${mostSelections} fields once its fragments are spread.`,
      { extensions: { maximum: mostSelections } },
    )
  }

  #within(some: ObjectTypes, others: ObjectTypes): ObjectTypes {
    if (some === others) return some
    const known = getOrInsert(this.#narrowed, some, () => new Map())
    return getOrInsert(known, others, () => narrowed(some, others))
  }
}

function joined(
  outer: Conjunction | undefined,
  own: readonly Condition[] | undefined,
): Conjunction | undefined {
  return outer === undefined || own === undefined ? undefined : and(outer, own)
}

/** The type conditions with one more, each once. */
export const withType = (on: readonly string[], type: string): readonly string[] =>
  on.includes(type) ? on : [...on, type]

const noArguments: readonly ArgumentNode[] = []
const noDirectives: readonly DirectiveNode[] = []

const isCondition = (name: string): boolean => name === 'skip' || name === 'include'

function directivesOf({ directives }: SelectionNode): readonly DirectiveNode[] {
  if (directives === undefined || directives.length === 0) return noDirectives
  const others = directives.filter(({ name: { value } }) => !isCondition(value) && !isIncremental(value))
  return others.length === 0 ? noDirectives : others
}

function printed(node: SelectionNode): string {
  const directives = directivesOf(node)
  return directives.length === 0 ? '' : directives.map((each) => print(each)).join(' ')
}

function selectsDirectly({ selectionSet }: FieldNode): boolean {
  for (const each of selectionSet?.selections ?? [])
    if (each.kind === Kind.FIELD && each.name.value !== '__typename') return true
  return false
}

/** The selections of a set. Only a second fragment can add a selection that the set has already. */
class Found {
  readonly all: Selection[] = []
  spreads = 0
  #fields: Set<NormalisedField> | undefined
  #keys: Set<string> | undefined
  readonly #directives = new Map<IncrementalDirective, number>()

  addSpread(selection: Selection): void {
    if (this.spreads > 1) {
      this.#fields ??= new Set(this.all.map(({ field }) => field))
      const isRepeated = this.#fields.has(selection.field)
      if (isRepeated) this.#keys ??= new Set(this.all.map((each) => this.#keyOf(each)))
      else this.#fields.add(selection.field)
      if (this.#keys !== undefined) {
        const key = this.#keyOf(selection)
        if (this.#keys.has(key)) return
        this.#keys.add(key)
      }
    }
    this.all.push(selection)
  }

  #keyOf({ field, when, on, wraps, deferred }: Selection): string {
    const directives = deferred.map((directive) =>
      getOrInsert(this.#directives, directive, () => this.#directives.size),
    )
    return `${field.id} ${when === undefined ? '!' : when.key} ${on.join()} ${directives.join()} ${wraps.join(' ')}`
  }
}
