/** Collects the fields of a selection on an object of a known type, as graphql does. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type InlineFragmentNode,
  isAbstractType,
  Kind,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql'
import { isIncluded } from '../../../../shared/graphql/conditions.ts'
import { responseKey } from '../../../../shared/graphql/selections.ts'
import { append } from '../../../../shared/runtime/maps.ts'

type Fragments = Readonly<Record<string, FragmentDefinitionNode>>

/** The fields by response key, in response order. */
export function collectFields(
  schema: GraphQLSchema,
  fragments: Fragments,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  variables: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, readonly FieldNode[]> {
  const fields = new Map<string, FieldNode[]>()
  /** Each named fragment is collected once. */
  const seen = new Set<string>()
  const collect = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (!isIncluded(selection, variables)) continue
      if (selection.kind === Kind.FIELD) {
        append(fields, responseKey(selection), selection)
        continue
      }
      let fragment: FragmentDefinitionNode | InlineFragmentNode | undefined
      if (selection.kind === Kind.INLINE_FRAGMENT) fragment = selection
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value)
        fragment = fragments[selection.name.value]
      }
      if (fragment !== undefined && applies(schema, fragment.typeCondition, type))
        collect(fragment.selectionSet)
    }
  }
  for (const set of sets) collect(set)
  return fields
}

function applies(
  schema: GraphQLSchema,
  condition: FragmentDefinitionNode['typeCondition'] | undefined,
  type: GraphQLObjectType,
): boolean {
  if (condition === undefined) return true
  const wanted = typeFromAST(schema, condition)
  return wanted === type || (isAbstractType(wanted) && schema.isSubType(wanted, type))
}
