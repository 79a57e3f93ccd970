/** Schema coordinates of nodes that graphql's `visit` meets. */
import { type ASTNode, Kind } from 'graphql'

/** `Type.field`, a type, or `schema`. */
export function coordinateOf(ancestors: readonly (ASTNode | readonly ASTNode[])[]): string {
  const names = ancestors.flatMap((each) =>
    'kind' in each && 'name' in each && each.name?.kind === Kind.NAME ? each.name.value : [],
  )
  return names.length === 0 ? 'schema' : names.join('.')
}
