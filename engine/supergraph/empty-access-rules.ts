/**
 * Finds access rules without requirements: `@requiresScopes(scopes: [])`, `[[]]`, or an empty alternative. Composers
 * drop the first, and all of them open their element to everybody, which their author cannot have meant.
 */
import { type ConstDirectiveNode, type DocumentNode, Kind } from 'graphql'
import { eachAppliedDirective } from './applied-directives.ts'
import { applies, directiveNames } from './directives.ts'
import { argument } from './features.ts'

interface EmptyAccessRule {
  /** `Type.field`, or a type. */
  readonly coordinate: string
  readonly message: string
}

export function emptyAccessRulesIn(document: DocumentNode): EmptyAccessRule[] {
  const names = directiveNames(document)
  const found: EmptyAccessRule[] = []
  if (!applies(document, names.requiresScopes, names.policy)) return found
  eachAppliedDirective(document.definitions, (directive, place) => {
    const name = directive.name.value
    const list = names.requiresScopes.has(name) ? 'scopes' : names.policy.has(name) ? 'policies' : undefined
    if (list === undefined || !isEmpty(directive, list)) return
    const coordinate = place()
    const message = `${coordinate} has @${name} with a list of ${list} that requires nothing, which opens it to everybody: name the ${list}, or leave the directive out`
    found.push({ coordinate, message })
  })
  return found
}

function isEmpty(directive: ConstDirectiveNode, list: string): boolean {
  const value = argument(directive, list)
  if (value?.kind !== Kind.LIST) return value?.kind !== Kind.STRING
  if (value.values.length === 0) return true
  return value.values.some((each) => each.kind === Kind.LIST && each.values.length === 0)
}
