/**
 * Errors that come along with data. A resolver either answers or throws; if a service reports an error
 * and still gives data, the resolver answers the data and leaves the error here, with its path.
 *
 * The executor of the subgraph takes them afterwards and adds them to the result's `errors`. They are a
 * plain list on the context, so that a server which clones contexts shares it.
 */
import { GraphQLError, type GraphQLResolveInfo } from 'graphql'

/**
 * Part of a context: collects errors that come together with data, such as a query that was only partly evaluated.
 */
export interface PartialErrors {
  readonly partialErrors: GraphQLError[]
}

/** Adds `error` at the path of the field that `info` describes, whose data stands all the same. */
export function reportPartial(context: PartialErrors, error: GraphQLError, info: GraphQLResolveInfo): void {
  const path: (string | number)[] = []
  for (let at: GraphQLResolveInfo['path'] | undefined = info.path; at !== undefined; at = at.prev)
    path.unshift(at.key)
  context.partialErrors.push(
    new GraphQLError(error.message, {
      nodes: info.fieldNodes,
      path,
      extensions: error.extensions,
      ...(error.originalError == null ? {} : { originalError: error.originalError }),
    }),
  )
}

/** What was reported since the last time; the list is empty afterwards. */
export function takePartialErrors(context: object): readonly GraphQLError[] {
  const { partialErrors } = context as Partial<PartialErrors>
  return partialErrors === undefined || partialErrors.length === 0 ? [] : partialErrors.splice(0)
}
