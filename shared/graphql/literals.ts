/** Values that are written in GraphQL. */
import { type ArgumentNode, type VariableDefinitionNode, valueFromASTUntyped } from 'graphql'

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
