/**
 * The right answer: the whole API schema over the world, executed by graphql-js, which knows nothing of subgraphs.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
} from 'graphql'
import { marked, type WorldContext } from './subgraph.ts'
import type { World, WorldObject } from './world.ts'

export function askOracle(
  world: World,
  apiSchema: GraphQLSchema,
  document: DocumentNode,
  variableValues: Readonly<Record<string, unknown>>,
  context: WorldContext = {},
): ExecutionResult | Promise<ExecutionResult> {
  const resolve = (source: unknown, args: unknown, _: unknown, info: GraphQLResolveInfo): unknown => {
    const object = (source as WorldObject | undefined) ?? { type: info.parentType.name, id: '' }
    const given = args as Record<string, unknown>
    if (info.parentType.name === 'Mutation') context.mutated?.(info.fieldName, given)
    const value = world.resolve(object, info.fieldName, given, context.faults)
    return isLeafType(getNamedType(info.returnType)) ? marked(value, info) : value
  }
  return execute({
    schema: apiSchema,
    document,
    variableValues,
    fieldResolver: resolve,
    typeResolver: (value) => (value as WorldObject).type,
  })
}
