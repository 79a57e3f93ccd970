/**
 * Waits for all items of a list before the fields below them run. A resolver may return a list of promises, of
 * which some are rejected (above all `_entities`). Executors complete each item as soon as it is there, so lookups
 * below the items would be sent in several batches. Here the promises are awaited together, and the lookups below
 * them go in one batch. A failure becomes a value at its position in the list.
 *
 * A reference resolver that throws would fail all of `_entities`, so it is made to fail alone as well.
 */
import { type GraphQLSchema, getNullableType, isListType, isObjectType } from 'graphql'
import { isPromise } from '../../shared/runtime/is-promise.ts'
import { asError } from '../../shared/runtime/thrown.ts'

/** The name under which @apollo/subgraph keeps the reference resolver of a type. */
interface ApolloExtensions {
  readonly apollo?: { readonly subgraph?: { resolveReference?: (...args: unknown[]) => unknown } }
}

/** Wraps the resolver of every list field of the schema, and every reference resolver. */
export function awaitListItems(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    const references = (type.extensions as ApolloExtensions).apollo?.subgraph
    const resolveReference = references?.resolveReference
    if (references !== undefined && resolveReference !== undefined) {
      references.resolveReference = (reference, context, info) => {
        try {
          return resolveReference(reference, context, info)
        } catch (error) {
          return Promise.reject(error)
        }
      }
    }
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field
      if (resolve === undefined || !isListType(getNullableType(field.type))) continue
      field.resolve = (source, args, context, info) => {
        const list: unknown = resolve(source, args, context, info)
        if (Array.isArray(list)) return settled(list)
        return list instanceof Promise
          ? list.then((items: unknown) => (Array.isArray(items) ? settled(items) : items))
          : list
      }
    }
  }
  return schema
}

/** Like `Promise.allSettled` with failures as values, and without the two promises that it makes for each item. */
function settled(items: readonly unknown[]): unknown {
  if (!items.some(isPromise)) return items
  return new Promise((resolve) => {
    const values = [...items]
    let waiting = 1
    const arrive = (): void => {
      waiting -= 1
      if (waiting === 0) resolve(values)
    }
    items.forEach((item, at) => {
      if (!isPromise(item)) return
      waiting += 1
      item.then(
        (value) => {
          values[at] = value
          arrive()
        },
        (reason: unknown) => {
          values[at] = asError(reason)
          arrive()
        },
      )
    })
    arrive()
  })
}
