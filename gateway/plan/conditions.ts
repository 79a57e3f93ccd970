/**
 * `@skip` and `@include` decided before planning: the document as it is for one set of truth values, with neither
 * directive left in it. A plan for these values then fetches nothing that nobody wants, and neither the planner
 * nor an executor has to understand conditions, which both do with faults.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'

function isCondition(directive: DirectiveNode): boolean {
  return directive.name.value === 'skip' || directive.name.value === 'include'
}

/** The variables that decide what is selected. */
export function conditionVariables(document: DocumentNode): string[] {
  const names = new Set<string>()
  visit(document, {
    Directive(directive) {
      const value = directive.arguments?.[0]?.value
      if (isCondition(directive) && value?.kind === Kind.VARIABLE) names.add(value.name.value)
    },
  })
  return [...names].sort()
}

export function withConditions(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): DocumentNode {
  if (!hasConditions(document)) return document
  const isIncluded = (selection: SelectionNode): boolean =>
    (selection.directives ?? []).every((directive) => {
      if (!isCondition(directive)) return true
      const value = directive.arguments?.[0]?.value
      const truth =
        value?.kind === Kind.VARIABLE
          ? variables[value.name.value] === true
          : value?.kind === Kind.BOOLEAN && value.value
      return truth === (directive.name.value === 'include')
    })
  return visit(document, {
    SelectionSet: {
      leave(set): SelectionSetNode {
        return {
          ...set,
          selections: set.selections.filter(isIncluded).map((selection) => ({
            ...selection,
            directives: (selection.directives ?? []).filter((directive) => !isCondition(directive)),
          })),
        }
      },
    },
  })
}

function hasConditions(document: DocumentNode): boolean {
  let found = false
  visit(document, {
    Directive(directive) {
      if (isCondition(directive)) found = true
    },
  })
  return found
}
