/**
 * From merged data to the response: exactly the fields that were selected, in their order, with what the
 * planner added left out, nulls where they must go, and refused fields null with an error at their place.
 *
 * Compiled once for an operation. Where a subgraph in this process already gave exactly what was asked, its
 * data is the response and nothing is copied.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql'
import { type Data, isObject, readerOf, writeKey } from './execute/data.ts'

/** A place of the response that the caller may not see. */
export interface Refusal {
  /** The very node of the original document. */
  readonly field: FieldNode
  /** The object type on which it is refused; `*` is every one that can stand there. */
  readonly parentType: string
  readonly message: string
  readonly extensions: Readonly<Record<string, unknown>>
  /**
   * Where the refused field lies below `field`, as response keys. Given where nothing of `field` was left to
   * ask for: it is null as well, and the error's path goes on with these keys.
   */
  readonly below?: readonly string[]
}

export interface ShapeInput {
  readonly schema: GraphQLSchema
  readonly operation: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly refusals: readonly Refusal[]
  /** Selections of root fields that one trusted fetch alone provides, by response key. */
  readonly provided: ReadonlyMap<string, FieldNode>
  /** Root fields whose object is null when a look-up says that it does not exist. */
  readonly absentAt: (type: GraphQLObjectType, field: string) => boolean
}

export interface ShapeContext {
  readonly variables: Record<string, unknown>
  readonly absent: ReadonlySet<object> | undefined
  /** Where errors of the shape go; those of the fetches are there already. */
  readonly errors: GraphQLError[]
}

export type Shape = (data: Data, context: ShapeContext) => Data | null

/** The most errors that refusals add to one response. */
const mostRefusals = 1000

type Condition = (variables: Record<string, unknown>) => boolean

interface FieldUse {
  readonly node: FieldNode
  readonly conditions: readonly Condition[]
}

interface FieldGroup {
  readonly key: string
  readonly name: string
  readonly uses: FieldUse[]
}

/** One run of a shape. `path` is kept only where errors may have to be placed. */
interface Run extends ShapeContext {
  readonly path: (string | number)[]
  readonly met: Set<Refusal>
  /** The first field that was null and must not be. */
  lost: string | undefined
}

/** Answers the shaped value; undefined is a null that its parent may not hold. */
type Writer = (value: unknown, run: Run) => unknown

const bubble = undefined

export function compileShape(input: ShapeInput): Shape {
  const { schema, operation, refusals } = input
  const refused = new Map<FieldNode, Refusal[]>()
  for (const refusal of refusals) {
    const list = refused.get(refusal.field)
    if (list === undefined) refused.set(refusal.field, [refusal])
    else list.push(refusal)
  }
  const places: { refusal: Refusal; path: readonly string[]; conditions: readonly Condition[] }[] = []
  const tracked = refusals.length > 0

  function conditionsOf(node: SelectionNode): Condition[] {
    const conditions: Condition[] = []
    for (const directive of node.directives ?? []) {
      const name = directive.name.value
      if (name !== 'skip' && name !== 'include') continue
      const value = directive.arguments?.find((argument) => argument.name.value === 'if')?.value
      const wanted = name === 'include'
      if (value?.kind === Kind.VARIABLE) {
        const variable = value.name.value
        conditions.push((variables) => (variables[variable] === true) === wanted)
      } else if (value?.kind === Kind.BOOLEAN) {
        const fixed = value.value === wanted
        conditions.push(() => fixed)
      }
    }
    return conditions
  }

  function collect(
    type: GraphQLCompositeType,
    selections: readonly SelectionNode[],
    conditions: readonly Condition[],
    groups: Map<string, FieldGroup>,
  ): void {
    for (const selection of selections) {
      const own = conditionsOf(selection)
      const all = own.length === 0 ? conditions : [...conditions, ...own]
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value
        let group = groups.get(key)
        if (group === undefined) {
          group = { key, name: selection.name.value, uses: [] }
          groups.set(key, group)
        }
        group.uses.push({ node: selection, conditions: all })
        continue
      }
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : input.fragments.get(selection.name.value)
      if (fragment === undefined) continue
      const condition = fragment.typeCondition?.name.value
      const target = condition === undefined ? type : schema.getType(condition)
      if (target === undefined) continue
      if (
        target === type ||
        (isAbstractType(target) && !isListType(type) && schema.isSubType(target, type as GraphQLObjectType))
      ) {
        collect(type, fragment.selectionSet.selections, all, groups)
      }
    }
  }

  function groupsOf(type: GraphQLCompositeType, uses: readonly FieldUse[]): FieldGroup[] {
    const groups = new Map<string, FieldGroup>()
    for (const { node, conditions } of uses) {
      collect(type, node.selectionSet?.selections ?? [], conditions, groups)
    }
    return [...groups.values()]
  }

  /** Whether the fetched selection is, key by key and in order, what the client asked of this type. */
  function isExact(type: GraphQLOutputType, uses: readonly FieldUse[], fetched: FieldNode): boolean {
    let named: GraphQLOutputType = type
    while (isNonNullType(named) || isListType(named)) named = named.ofType
    if (isLeafType(named)) return fetched.selectionSet === undefined
    if (!isObjectType(named)) return false
    const groups = groupsOf(named, uses)
    const selections = fetched.selectionSet?.selections ?? []
    if (groups.length !== selections.length) return false
    const fields = named.getFields()
    return groups.every((group, index) => {
      const selection = selections[index]
      if (selection?.kind !== Kind.FIELD || (selection.directives?.length ?? 0) > 0) return false
      if (
        (selection.alias?.value ?? selection.name.value) !== group.key ||
        selection.name.value !== group.name
      )
        return false
      if (group.uses.some(({ node, conditions }) => conditions.length > 0 || refused.has(node))) return false
      if (group.name === '__typename') return true
      const field = fields[group.name]
      return field !== undefined && isExact(field.type, group.uses, selection)
    })
  }

  function isNeeded(uses: readonly FieldUse[]): Condition | undefined {
    if (uses.some(({ conditions }) => conditions.length === 0)) return undefined
    return (variables) => uses.some(({ conditions }) => conditions.every((holds) => holds(variables)))
  }

  interface Slot {
    readonly key: string
    readonly needed: Condition | undefined
    readonly read: (object: Data) => unknown
    readonly write: Writer
    readonly nonNull: boolean
  }

  function refusalsAt(group: FieldGroup, typeName: string): { refusal: Refusal; applies: Condition }[] {
    return group.uses.flatMap(({ node, conditions }) =>
      (refused.get(node) ?? [])
        .filter(({ parentType }) => parentType === '*' || parentType === typeName)
        .map((refusal) => ({
          refusal,
          applies: (variables: Record<string, unknown>) => conditions.every((holds) => holds(variables)),
        })),
    )
  }

  function refuse(run: Run, refusal: Refusal): void {
    run.met.add(refusal)
    if (run.errors.length >= mostRefusals) return
    run.errors.push(
      new GraphQLError(refusal.message, {
        path: [...run.path, ...(refusal.below ?? [])],
        extensions: { ...refusal.extensions },
      }),
    )
  }

  function slotOf(type: GraphQLCompositeType, group: FieldGroup, keys: readonly string[]): Slot | undefined {
    const { key, name, uses } = group
    const needed = isNeeded(uses)
    const read = readerOf(key)
    if (name === '__typename') {
      const write: Writer = isObjectType(type) ? () => type.name : (value) => value ?? type.name
      return { key, needed, read, write, nonNull: true }
    }
    if (name === '__schema' || name === '__type') {
      return { key, needed, read, write: (value) => value ?? null, nonNull: name === '__schema' }
    }
    const field = 'getFields' in type ? type.getFields()[name] : undefined
    if (field === undefined) return undefined
    const nonNull = isNonNullType(field.type)
    const path = [...keys, key]
    const refusing = tracked ? refusalsAt(group, type.name) : []
    for (const { refusal } of refusing) {
      for (const { node, conditions } of uses) {
        if (node === refusal.field)
          places.push({ refusal, path: [...path, ...(refusal.below ?? [])], conditions })
      }
    }
    const inner = writerOf(field.type, uses, path)
    if (refusing.length === 0) return { key, needed, read, write: inner, nonNull }
    const write: Writer = (value, run) => {
      const active = refusing.find(({ applies }) => applies(run.variables))
      if (active === undefined) return inner(value, run)
      refuse(run, active.refusal)
      return nonNull ? bubble : null
    }
    return { key, needed, read, write, nonNull }
  }

  function objectWriter(
    type: GraphQLCompositeType,
    uses: readonly FieldUse[],
    keys: readonly string[],
  ): Writer {
    const slots = groupsOf(type, uses).flatMap((group) => slotOf(type, group, keys) ?? [])
    const unsafe = slots.some(({ key }) => key === '__proto__')
    const count = slots.length
    return (value, run) => {
      if (!isObject(value)) return null
      const shaped: Data = {}
      let lost = false
      for (let i = 0; i < count; i++) {
        const slot = slots[i] as Slot
        if (slot.needed !== undefined && !slot.needed(run.variables)) continue
        if (tracked) run.path.push(slot.key)
        const inner = slot.write(slot.read(value), run)
        if (tracked) run.path.pop()
        if (inner === bubble || (inner === null && slot.nonNull)) {
          // Other fields are still visited where refusals below them have to be told.
          lost = true
          run.lost ??= `${type.name}.${slot.key}`
          if (!tracked) return null
          continue
        }
        if (unsafe) writeKey(shaped, slot.key, inner)
        else shaped[slot.key] = inner
      }
      return lost ? null : shaped
    }
  }

  function abstractWriter(
    type: GraphQLCompositeType,
    uses: readonly FieldUse[],
    keys: readonly string[],
  ): Writer {
    const writers = new Map<string, Writer>()
    const here: Refusal[] = []
    const make = (concrete: GraphQLCompositeType): Writer => {
      const before = places.length
      const writer = objectWriter(concrete, uses, keys)
      for (const { refusal, path } of places.slice(before)) {
        if (path.length === keys.length + 1 + (refusal.below?.length ?? 0)) here.push(refusal)
      }
      return writer
    }
    const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : []
    const named = new Map(possible.map((concrete) => [concrete.name, concrete]))
    if (tracked) for (const concrete of possible) writers.set(concrete.name, make(concrete))
    return (value, run) => {
      if (!isObject(value)) return null
      const typename = value.__typename
      const name = typeof typename === 'string' ? typename : type.name
      let writer = writers.get(name)
      if (writer === undefined) {
        const concrete = named.get(name) ?? (name === type.name ? type : undefined)
        if (concrete === undefined) return null
        writer = make(concrete)
        writers.set(name, writer)
      }
      for (const refusal of here) run.met.add(refusal)
      return writer(value, run)
    }
  }

  function listWriter(inner: Writer, nonNull: boolean): Writer {
    return (value, run) => {
      if (!Array.isArray(value)) return null
      const items: unknown[] = new Array(value.length)
      let lost = false
      for (let i = 0; i < value.length; i++) {
        if (tracked) run.path.push(i)
        const item: unknown = value[i]
        const shaped = item === null || item === undefined ? null : inner(item, run)
        if (tracked) run.path.pop()
        if (shaped === bubble || shaped === null) {
          if (nonNull) {
            lost = true
            if (!tracked) return null
          }
          items[i] = null
        } else items[i] = shaped
      }
      return lost ? null : items
    }
  }

  function writerOf(type: GraphQLOutputType, uses: readonly FieldUse[], keys: readonly string[]): Writer {
    if (isNonNullType(type)) return writerOf(type.ofType, uses, keys)
    if (isListType(type))
      return nullable(listWriter(writerOf(type.ofType, uses, keys), isNonNullType(type.ofType)))
    if (!isCompositeType(type)) return (value) => value ?? null
    return nullable(isObjectType(type) ? objectWriter(type, uses, keys) : abstractWriter(type, uses, keys))
  }

  const root = schema.getRootType(operation.operation)
  if (root === undefined || root === null) throw new Error(`The schema has no ${operation.operation} type`)
  const rootUse: FieldUse = { node: operation as unknown as FieldNode, conditions: [] }
  const rootSlots = groupsOf(root, [rootUse]).flatMap((group) => {
    const slot = slotOf(root, group, [])
    if (slot === undefined) return []
    const fetched = input.provided.get(group.key)
    const field = root.getFields()[group.name]
    if (field === undefined) return [slot]
    if (
      fetched !== undefined &&
      fetched.name.value === group.name &&
      group.uses.every(({ node, conditions }) => conditions.length === 0 && !refused.has(node)) &&
      isExact(field.type, group.uses, fetched)
    ) {
      return [{ ...slot, write: (value: unknown) => value ?? null }]
    }
    if (!input.absentAt(root, group.name)) return [slot]
    return [{ ...slot, write: withoutAbsent(slot.write) }]
  })

  return (data, context) => {
    const run: Run = { ...context, path: [], met: new Set(), lost: undefined }
    const shaped: Data = {}
    let lost = false
    for (const slot of rootSlots) {
      if (slot.needed !== undefined && !slot.needed(run.variables)) continue
      if (tracked) run.path.push(slot.key)
      const value = slot.write(slot.read(data), run)
      if (tracked) run.path.pop()
      if (value === bubble || (value === null && slot.nonNull)) {
        lost = true
        if (run.errors.length === 0) {
          run.errors.push(
            new GraphQLError(`Cannot return null for non-nullable field ${root.name}.${slot.key}.`, {
              path: [slot.key],
            }),
          )
        }
        continue
      }
      writeKey(shaped, slot.key, value)
    }
    for (const { refusal, path, conditions } of places) {
      if (run.met.has(refusal) || !conditions.every((holds) => holds(run.variables))) continue
      run.met.add(refusal)
      if (run.errors.length >= mostRefusals) continue
      run.errors.push(new GraphQLError(refusal.message, { path, extensions: { ...refusal.extensions } }))
    }
    // A null that nothing explains: a subgraph left out what its schema promises.
    if (run.lost !== undefined && run.errors.length === 0) {
      run.errors.push(
        new GraphQLError(`Cannot return null for non-nullable field ${run.lost}.`, {
          extensions: { code: 'UPSTREAM_BAD_RESPONSE' },
        }),
      )
    }
    return lost ? null : shaped
  }
}

function nullable(write: Writer): Writer {
  return (value, run) => (value === null || value === undefined ? null : write(value, run))
}

/** Nulls objects that were only named, and that do not exist. */
function withoutAbsent(write: Writer): Writer {
  const drop = (value: unknown, absent: ReadonlySet<object>): unknown => {
    if (Array.isArray(value)) return value.map((item) => drop(item, absent))
    return isObject(value) && absent.has(value) ? null : value
  }
  return (value, run) => write(run.absent === undefined ? value : drop(value, run.absent), run)
}
