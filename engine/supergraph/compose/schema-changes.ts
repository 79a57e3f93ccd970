/** Classifies changes of a schema for clients: breaking, dangerous or safe. */
import {
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
} from 'graphql'

export type Severity = 'breaking' | 'dangerous' | 'safe'

interface SchemaChange {
  readonly severity: Severity
  /**
   * The name that graphql gives it, such as FIELD_REMOVED. Safe changes are TYPE_ADDED, FIELD_ADDED, DEPRECATED and
   * NO_LONGER_DEPRECATED.
   */
  readonly kind: string
  readonly description: string
}

/** Breaking changes come first. */
export function findChanges(before: GraphQLSchema, after: GraphQLSchema): SchemaChange[] {
  const as =
    (severity: Severity) =>
    ({ type, description }: { readonly type: string; readonly description: string }): SchemaChange => ({
      severity,
      kind: type,
      description,
    })
  return [
    ...findBreakingChanges(before, after).map(as('breaking')),
    ...findDangerousChanges(before, after).map(as('dangerous')),
    ...safeChanges(before, after),
  ]
}

function safeChanges(before: GraphQLSchema, after: GraphQLSchema): SchemaChange[] {
  const changes: SchemaChange[] = []
  const note = (kind: string, description: string): void => {
    changes.push({ severity: 'safe', kind, description })
  }
  for (const [name, type] of Object.entries(after.getTypeMap())) {
    if (name.startsWith('__')) continue
    const old = before.getType(name)
    if (old === undefined) {
      note('TYPE_ADDED', `${name} was added.`)
      continue
    }
    const comparable =
      (isObjectType(type) && isObjectType(old)) || (isInterfaceType(type) && isInterfaceType(old))
    if (!comparable) continue
    const oldFields = old.getFields()
    for (const [field, { deprecationReason }] of Object.entries(type.getFields())) {
      const oldField = oldFields[field]
      if (oldField === undefined) note('FIELD_ADDED', `${name}.${field} was added.`)
      else if (deprecationReason != null && oldField.deprecationReason == null)
        note('DEPRECATED', `${name}.${field} was deprecated: ${deprecationReason}`)
      else if (deprecationReason == null && oldField.deprecationReason != null)
        note('NO_LONGER_DEPRECATED', `${name}.${field} is no longer deprecated.`)
    }
  }
  return changes
}
