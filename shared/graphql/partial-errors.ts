/**
 * Errors that accompany data. If a service returns data together with an error, the resolver returns the data and
 * reports the error here with its path.
 *
 * The executor of the subgraph adds the errors to the result. They are a plain list on the context, so that a server
 * that clones contexts shares it.
 */
import { GraphQLError, type GraphQLResolveInfo } from 'graphql'

/** The part of a context that collects errors which accompany data. */
export interface PartialErrors {
  readonly partialErrors: GraphQLError[]
}

/** Adds `error` at the path of the field that `info` describes. Its data remains. */
export function reportPartial(context: PartialErrors, error: GraphQLError, info: GraphQLResolveInfo): void {
  const path: (string | number)[] = []
  for (let at: GraphQLResolveInfo['path'] | undefined = info.path; at !== undefined; at = at.prev)
    path.unshift(at.key)
  const { message, extensions, originalError = null } = error
  context.partialErrors.push(
    new GraphQLError(message, { nodes: info.fieldNodes, path, extensions, originalError }),
  )
}

/** Removes and returns the errors since the last call. */
export function takePartialErrors(context: object): readonly GraphQLError[] {
  const { partialErrors } = context as Partial<PartialErrors>
  return partialErrors === undefined || partialErrors.length === 0 ? [] : partialErrors.splice(0)
}
