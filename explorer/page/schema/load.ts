/** Reads the served schema by introspection once the page is shown. */
import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
} from 'graphql'
import { session } from '../graph/session.ts'
import { endpoint } from '../settings.ts'
import { createStore } from '../ui/store.ts'

type SchemaState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly schema: GraphQLSchema }
  | { readonly kind: 'failed'; readonly reason: string }

/** A deprecation reason says that something is deprecated. Omitting `isDeprecated` saves a tenth of the response. */
const query = getIntrospectionQuery({ inputValueDeprecation: true }).replace(/\bisDeprecated\b/g, '')

async function readSchema(): Promise<GraphQLSchema> {
  const authorization = await session.authorization()
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: JSON.stringify({ query, operationName: 'IntrospectionQuery' }),
  })
  const { data, errors } = (await response.json()) as {
    data?: IntrospectionQuery | null
    errors?: readonly { readonly message: string }[]
  }
  if (data === undefined || data === null)
    throw new Error(errors?.[0]?.message ?? `The gateway answers with status ${response.status}.`)
  return buildClientSchema(data)
}

export const schemaState = createStore<SchemaState>({ kind: 'loading' })

const loadedOf = (state: SchemaState): GraphQLSchema | undefined =>
  state.kind === 'loaded' ? state.schema : undefined

export const loadedSchema = (): GraphQLSchema | undefined => loadedOf(schemaState.current())

export const useLoadedSchema = (): GraphQLSchema | undefined => loadedOf(schemaState.use())

export function loadSchema(): void {
  schemaState.set({ kind: 'loading' })
  readSchema().then(
    (schema) => schemaState.set({ kind: 'loaded', schema }),
    (error: unknown) => {
      const reason =
        error instanceof Error && !(error instanceof TypeError || error instanceof SyntaxError)
          ? error.message
          : 'The gateway cannot be reached.'
      schemaState.set({ kind: 'failed', reason })
    },
  )
}
