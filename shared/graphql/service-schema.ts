/**
 * Marks schemas in front of a service. If the service sends a value that violates such a schema, the executor reports
 * an error of the service (`UPSTREAM_BAD_RESPONSE`), and other values remain.
 */
import type { GraphQLSchema } from 'graphql'

const services = new WeakMap<GraphQLSchema, string>()

export function noteService(schema: GraphQLSchema, service: string): void {
  services.set(schema, service)
}

/** The name of the service. Undefined for other schemas. */
export function serviceOf(schema: GraphQLSchema): string | undefined {
  return services.get(schema)
}
