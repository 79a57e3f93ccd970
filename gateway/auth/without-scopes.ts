/**
 * Subgraph SDL without its authorization directives, for a router that refuses a supergraph with them (Apollo Router
 * without a GraphOS plan, @apollo/gateway). The subgraph services must then check scopes themselves; this module only
 * removes text and checks nothing.
 */

import { type ConstDirectiveNode, type DirectiveDefinitionNode, type DocumentNode, visit } from 'graphql'
import { eachAppliedDirective } from '../../engine/supergraph/applied-directives.ts'
import { directiveNames, securityDirectives } from '../../engine/supergraph/directives.ts'
import { withImports } from '../../engine/supergraph/features.ts'

const officialImports: ReadonlySet<string> = new Set(securityDirectives.map((name) => `@${name}`))

/** The directives' names in the SDL. */
function removedFrom(typeDefs: DocumentNode): ReadonlySet<string> {
  const names = directiveNames(typeDefs)
  return new Set(securityDirectives.flatMap((directive) => [...names[directive]]))
}

/** The coordinates of what the directives protect, each once. */
export function scopedElements(typeDefs: DocumentNode): readonly string[] {
  const names = removedFrom(typeDefs)
  const places = new Set<string>()
  eachAppliedDirective(typeDefs.definitions, ({ name }, place) => {
    if (names.has(name.value)) places.add(place())
  })
  return [...places]
}

/**
 * The same SDL, in which `@authenticated`, `@requiresScopes` and `@policy` are neither applied, defined nor imported.
 */
export function withoutScopes(typeDefs: DocumentNode): DocumentNode {
  const removed = removedFrom(typeDefs)
  return visit(typeDefs, {
    DirectiveDefinition: (node: DirectiveDefinitionNode) => (removed.has(node.name.value) ? null : undefined),
    Directive: {
      enter(node) {
        if (removed.has(node.name.value)) return null
        return node.name.value === 'link'
          ? withImports(node as ConstDirectiveNode, (name) => !officialImports.has(name))
          : undefined
      },
    },
  })
}
