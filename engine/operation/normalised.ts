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
  type FragmentDefinitionNode,
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
import { conditionsOf } from '../../shared/graphql/conditions.ts'
import { type Fragments, fragmentsOf, responseKey } from '../../shared/graphql/selections.ts'
import { memoByObject } from '../../shared/runtime/memo.ts'
import { estimatedBytes } from '../cache-memory.ts'
import { always, and, type Conjunction } from './conditions.ts'
import { createTypeSets, type TypeSet, type TypeSets } from './type-sets.ts'
import { type TypeSource, typesOf } from './type-source.ts'

export interface NormalisedOperation {
  readonly kind: OperationTypeNode
  readonly name: string | undefined
  /** The name of the root type. */
  readonly type: string
  readonly variables: readonly VariableDefinitionNode[]
  /** The selections of the root type. */
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
  /** The directives other than `@skip` and `@include`. */
  readonly directives: readonly DirectiveNode[]
  /** The selections of its objects. Undefined for a leaf. */
  readonly selections: readonly Selection[] | undefined
  /** Whether it selects a field other than `__typename` outside of fragments. */
  readonly selectsDirectly: boolean
  /** The parsed node. Nothing may depend on its identity, because documents are copied. */
  readonly node: FieldNode
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
  readonly types: TypeSet
  /** The directives of the fragments around it, printed, without `@skip` and `@include`. */
  readonly wraps: readonly string[]
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

/** A selection set without named fragments, whatever its type. No object types are known of it. */
export const selectionsOf = memoByObject((set: SelectionSetNode): readonly Selection[] => {
  const untyped: TypeSource = {
    possible: () => new Set(),
    output: () => undefined,
    isDeclared: () => false,
  }
  return new Normaliser(untyped, new Map()).selectionsOf(set)
})

/** The same for the operation of this name, or the only one; undefined if there is none. */
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

/** A field of a fragment or a selection set, independent of the objects of which it is selected. */
interface Spread {
  readonly field: MutableField
  readonly when: Conjunction | undefined
  readonly on: readonly string[]
  readonly wraps: readonly string[]
}

type Around = Omit<Spread, 'field'>

interface Pending {
  readonly set: SelectionSetNode
  readonly parent: string
  readonly around: readonly string[]
}

const nowhere: readonly string[] = []
const outermost: Around = { when: always, on: nowhere, wraps: nowhere }

class Normaliser {
  readonly #types: TypeSource
  readonly #fragments: Fragments
  readonly #sets: TypeSets = createTypeSets()
  readonly #fields: MutableField[] = []
  /** By parent, because fields that are made for several types may share their nodes. */
  readonly #byNode = new Map<FieldNode, Map<string, MutableField>>()
  readonly #pending: Pending[] = []
  readonly #reached = new Set<string>()
  readonly #ofFragments = new Map<string, readonly Spread[]>()
  /** Lists of type conditions, where equal lists are one object, and the types that they leave of a declared type. */
  readonly #lists = new Map<string, readonly string[]>()
  readonly #left = new Map<readonly string[], Map<string, TypeSet>>()
  #size = 0

  constructor(types: TypeSource, fragments: Fragments) {
    this.#types = types
    this.#fragments = fragments
  }

  selectionsOf(selectionSet: SelectionSetNode, type = ''): readonly Selection[] {
    this.#find({ set: selectionSet, parent: type, around: [type] })
    for (const field of this.#fields) {
      const set = field.node.selectionSet
      if (set !== undefined) field.selections = this.#selectionsOf(set, field.output ?? '')
    }
    return this.#selectionsOf(selectionSet, type)
  }

  normalise(operation: OperationDefinitionNode, type: string): NormalisedOperation {
    const { operation: kind, name, selectionSet, variableDefinitions = [] } = operation
    return {
      kind,
      name: name?.value,
      type,
      variables: variableDefinitions,
      selections: this.selectionsOf(selectionSet, type),
      fields: this.#fields,
    }
  }

  /** Creates the fields of a selection set, of those below it, and of the fragments that they spread. */
  #find(root: Pending): void {
    this.#pending.push(root)
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) this.#findIn(next)
  }

  #findIn({ set, parent, around }: Pending): void {
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        // Nodes that are shared at every level would be found once for each path to them.
        if (this.#byNode.get(node)?.has(parent) === true) continue
        const field = this.#fieldFrom(node, parent, around)
        if (node.selectionSet !== undefined)
          this.#pending.push({ set: node.selectionSet, parent: field.output ?? '', around: nowhere })
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        const named = node.typeCondition?.name.value
        this.#findIn({
          set: node.selectionSet,
          parent: named ?? parent,
          around: named === undefined ? around : [...around, named],
        })
      } else this.#findFragment(node.name.value)
    }
  }

  #findFragment(name: string): void {
    const fragment = this.#fragments.get(name)
    if (fragment === undefined || this.#reached.has(name)) return
    this.#reached.add(name)
    const parent = fragment.typeCondition.name.value
    this.#pending.push({ set: fragment.selectionSet, parent, around: [parent] })
  }

  #fieldFrom(node: FieldNode, parent: string, around: readonly string[]): MutableField {
    const name = node.name.value
    const field: MutableField = {
      id: this.#fields.length,
      key: responseKey(node),
      name,
      parent,
      around,
      output: this.#types.output(parent, name),
      arguments: node.arguments ?? noArguments,
      directives: directivesOf(node),
      selections: undefined,
      selectsDirectly: selectsDirectly(node),
      node,
    }
    this.#fields.push(field)
    const ofNode = this.#byNode.get(node)
    if (ofNode === undefined) this.#byNode.set(node, new Map([[parent, field]]))
    else ofNode.set(parent, field)
    return field
  }

  #selectionsOf(set: SelectionSetNode, declared: string): readonly Selection[] {
    const found = new Spreads()
    this.#spread(set, declared, outermost, found)
    return found.all.map((spread) => ({ ...spread, types: this.#leftOf(declared, spread.on) }))
  }

  #spread(set: SelectionSetNode, parent: string, around: Around, into: Spreads): void {
    for (const node of set.selections) {
      const own = conditionsOf(node)
      const when = own === undefined || around.when === undefined ? undefined : and(around.when, own)
      if (node.kind === Kind.FIELD) {
        const field = this.#byNode.get(node)?.get(parent)
        if (field !== undefined) this.#note({ field, when, on: around.on, wraps: around.wraps }, into.all)
        continue
      }
      const wrap = printed(node)
      const wraps = wrap === '' ? around.wraps : [...around.wraps, wrap]
      if (node.kind === Kind.INLINE_FRAGMENT) {
        const named = node.typeCondition?.name.value
        const on = named === undefined ? around.on : this.#with(around.on, named)
        this.#spread(node.selectionSet, named ?? parent, { when, on, wraps }, into)
      } else
        for (const each of this.#ofFragment(node.name.value))
          this.#note(
            {
              field: each.field,
              when: when === undefined || each.when === undefined ? undefined : and(when, each.when.all),
              on: each.on.reduce<readonly string[]>((all, one) => this.#with(all, one), around.on),
              wraps: each.wraps.length === 0 ? wraps : [...wraps, ...each.wraps],
            },
            into,
          )
    }
  }

  #note(spread: Spread, into: { push(spread: Spread): unknown }): void {
    this.#size += 1
    if (this.#size > mostSelections)
      throw tesseraError(
        'OPERATION_TOO_LARGE',
        `The operation selects more than ${mostSelections} fields once its fragments are spread.`,
        { extensions: { maximum: mostSelections } },
      )
    into.push(spread)
  }

  #ofFragment(name: string): readonly Spread[] {
    const known = this.#ofFragments.get(name)
    if (known !== undefined) return known
    // Prevents endless recursion: a fragment that spreads itself, which no valid document has, adds nothing.
    this.#ofFragments.set(name, [])
    const fragment = this.#fragments.get(name)
    const found = new Spreads()
    if (fragment !== undefined)
      this.#spread(fragment.selectionSet, fragment.typeCondition.name.value, this.#within(fragment), found)
    this.#ofFragments.set(name, found.all)
    return found.all
  }

  #within({ typeCondition }: FragmentDefinitionNode): Around {
    return { ...outermost, on: this.#with(nowhere, typeCondition.name.value) }
  }

  #with(on: readonly string[], type: string): readonly string[] {
    if (on.includes(type)) return on
    const key = on.length === 0 ? type : `${on.join(' ')} ${type}`
    let list = this.#lists.get(key)
    if (list === undefined) {
      list = [...on, type]
      this.#lists.set(key, list)
    }
    return list
  }

  #leftOf(declared: string, on: readonly string[]): TypeSet {
    let byDeclared = this.#left.get(on)
    if (byDeclared === undefined) {
      byDeclared = new Map()
      this.#left.set(on, byDeclared)
    }
    let left = byDeclared.get(declared)
    if (left === undefined) {
      left = this.#sets.of(this.#types.possible(declared))
      for (const each of on) left = this.#sets.within(left, this.#types.possible(each))
      byDeclared.set(declared, left)
    }
    return left
  }
}

const noArguments: readonly ArgumentNode[] = []
const noDirectives: readonly DirectiveNode[] = []

function directivesOf({ directives }: SelectionNode): readonly DirectiveNode[] {
  if (directives === undefined || directives.length === 0) return noDirectives
  const others = directives.filter(({ name }) => name.value !== 'skip' && name.value !== 'include')
  return others.length === 0 ? noDirectives : others
}

const printed = (node: SelectionNode): string =>
  directivesOf(node)
    .map((each) => print(each))
    .join(' ')

function selectsDirectly({ selectionSet }: FieldNode): boolean {
  return (
    selectionSet?.selections.some((each) => each.kind === Kind.FIELD && each.name.value !== '__typename') ===
    true
  )
}

/** A list without duplicates. Only fragments can add a field to a selection set that has it already. */
class Spreads {
  readonly all: Spread[] = []
  #known: Set<string> | undefined

  push(spread: Spread): void {
    const { field, when, on, wraps } = spread
    const key = `${field.id} ${when === undefined ? '!' : when.key} ${on.join()} ${wraps.join(' ')}`
    this.#known ??= new Set()
    if (this.#known.has(key)) return
    this.#known.add(key)
    this.all.push(spread)
  }
}
