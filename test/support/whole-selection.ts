/** A selection of everything that belongs to an object itself: no other entities, no lists in pages, no arguments that are needed. */
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'

/** Without the braces; empty if nothing is left. `but` names fields to leave out. */
export function wholeSelection(
  schema: GraphQLSchema,
  name: string,
  but: ReadonlySet<string> = new Set(),
  depth = 6,
): string {
  const type = schema.getType(name)
  if (isAbstractType(type)) {
    const parts = schema.getPossibleTypes(type).map((each) => {
      const own = wholeSelection(schema, each.name, but, depth)
      return own === '' ? '' : `... on ${each.name} { ${own} }`
    })
    return ['__typename', ...parts].join(' ')
  }
  if (!isObjectType(type)) return ''
  return Object.values(type.getFields())
    .flatMap((field) => {
      if (but.has(field.name) || field.args.some(isRequiredArgument)) return []
      const inner = getNamedType(field.type)
      if (!isCompositeType(inner)) return [field.name]
      if (depth === 0 || isElsewhere(schema, inner)) return []
      const below = wholeSelection(schema, inner.name, but, depth - 1)
      return below === '' ? [] : [`${field.name} { ${below} }`]
    })
    .join(' ')
}

/** Entities are read by calls of their own; so are pages. */
function isElsewhere(schema: GraphQLSchema, type: GraphQLNamedType): boolean {
  const node = schema.getType('Node')
  if (type.name.endsWith('Connection')) return true
  return (
    isObjectType(type) && isInterfaceType(node) && schema.isSubType(node, type) && type.name !== 'Comment'
  )
}
