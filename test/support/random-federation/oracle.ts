/**
 * The right answer: the whole API schema over the world, executed by graphql-js, which knows nothing of subgraphs.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  responsePathAsArray,
} from 'graphql'
import type { Path } from './places.ts'
import { marked, type WorldContext } from './subgraph.ts'
import type { World, WorldObject } from './world.ts'

/** A field that the oracle resolved. */
export interface MetField {
  readonly object: WorldObject
  readonly name: string
  readonly type: GraphQLOutputType
}

export interface OracleContext extends WorldContext {
  /** Told of every field, with its path in the response. */
  readonly met?: ((path: Path, field: MetField) => void) | undefined
}

export function askOracle(
  world: World,
  apiSchema: GraphQLSchema,
  document: DocumentNode,
  variableValues: Readonly<Record<string, unknown>>,
  context: OracleContext = {},
): ExecutionResult | Promise<ExecutionResult> {
  const resolve = (source: unknown, args: unknown, _: unknown, info: GraphQLResolveInfo): unknown => {
    const object = (source as WorldObject | undefined) ?? { type: info.parentType.name, id: '' }
    const given = args as Record<string, unknown>
    context.met?.(responsePathAsArray(info.path), { object, name: info.fieldName, type: info.returnType })
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
