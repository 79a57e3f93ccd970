/**
 * Defaults as clients may see them. Composers let a default name what is `@inaccessible`: a field of an input object, or a
 * value of an enum inside a list or an object.
 */
import {
  type ASTNode,
  type ConstObjectFieldNode,
  type ConstValueNode,
  type InputValueDefinitionNode,
  Kind,
  type TypeDefinitionNode,
  type TypeNode,
} from 'graphql'

/** All types of the supergraph by name, and what is hidden of them. */
interface Whole {
  readonly types: ReadonlyMap<string, TypeDefinitionNode>
  readonly isHidden: (node: ASTNode) => boolean
}

/** Without its default if that has a hidden value. A hidden field of an input object is left out of the default. */
export function withSeenDefault(node: InputValueDefinitionNode, whole: Whole): InputValueDefinitionNode {
  const { defaultValue, ...others } = node
  if (defaultValue === undefined || !canHide.has(defaultValue.kind)) return node
  const seen = seenValue(defaultValue, node.type, whole)
  return seen === undefined ? others : { ...others, defaultValue: seen }
}

const canHide: ReadonlySet<string> = new Set([Kind.ENUM, Kind.LIST, Kind.OBJECT])

function seenValue(value: ConstValueNode, type: TypeNode, whole: Whole): ConstValueNode | undefined {
  if (type.kind === Kind.NON_NULL_TYPE) return seenValue(value, type.type, whole)
  if (type.kind === Kind.LIST_TYPE) {
    if (value.kind !== Kind.LIST) return seenValue(value, type.type, whole)
    const values = value.values.map((each) => seenValue(each, type.type, whole))
    return values.every((each) => each !== undefined) ? { ...value, values } : undefined
  }
  const definition = whole.types.get(type.name.value)
  if (definition?.kind === Kind.ENUM_TYPE_DEFINITION && value.kind === Kind.ENUM) {
    const known = definition.values?.find(({ name }) => name.value === value.value)
    return known !== undefined && whole.isHidden(known) ? undefined : value
  }
  if (definition?.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION || value.kind !== Kind.OBJECT) return value
  const fields: ConstObjectFieldNode[] = []
  for (const field of value.fields) {
    const known = definition.fields?.find(({ name }) => name.value === field.name.value)
    if (known !== undefined && whole.isHidden(known)) continue
    const inner = known === undefined ? field.value : seenValue(field.value, known.type, whole)
    if (inner === undefined) return undefined
    fields.push({ ...field, value: inner })
  }
  return { ...value, fields }
}
