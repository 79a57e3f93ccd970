/** Values that are written in GraphQL. */
import {
  type ArgumentNode,
  Kind,
  type ValueNode,
  type VariableDefinitionNode,
  valueFromASTUntyped,
} from 'graphql'
import { ExactNumber, parseExactly } from '../json/exact-number.ts'

type Variables = Readonly<Record<string, unknown>>

/** The arguments of a field or a directive; one whose variable is absent is left out. */
export const argumentsOf = (
  { arguments: given = [] }: { readonly arguments?: readonly ArgumentNode[] | undefined },
  variables?: Variables,
): Variables =>
  Object.fromEntries(
    given
      .map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)])
      .filter(([, value]) => value !== undefined),
  )

/** The values that variables have if they are left out. */
export const defaultsOf = (definitions: readonly VariableDefinitionNode[] = []): Variables =>
  Object.fromEntries(
    definitions.flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)]],
    ),
  )

/** Like `valueFromASTUntyped`, with an `ExactNumber` for each number that a double cannot hold. */
export function exactValueOf(node: ValueNode, variables?: Variables | null): unknown {
  if (node.kind === Kind.LIST) return node.values.map((each) => exactValueOf(each, variables))
  if (node.kind === Kind.OBJECT) {
    const object: Record<string, unknown> = Object.create(null)
    for (const { name, value } of node.fields) object[name.value] = exactValueOf(value, variables)
    return object
  }
  if (node.kind !== Kind.INT && node.kind !== Kind.FLOAT) return valueFromASTUntyped(node, variables)
  return Number.isFinite(Number(node.value)) ? parseExactly(node.value) : new ExactNumber(node.value)
}
