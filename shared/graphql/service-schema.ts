/**
 * Which schemas stand in front of a service. Their executor reads values that the service sent as what they are: one that
 * is not as the schema says is the service's fault (`UPSTREAM_BAD_RESPONSE`), and takes no others along.
 */
import type { GraphQLSchema } from 'graphql'

const services = new WeakMap<GraphQLSchema, string>()

export function noteService(schema: GraphQLSchema, service: string): void {
  services.set(schema, service)
}

/** The name of the service; undefined for a schema of anything else. */
export function serviceOf(schema: GraphQLSchema): string | undefined {
  return services.get(schema)
}
