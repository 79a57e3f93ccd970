/** Reads the served schema by introspection once the page is shown. */
import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
} from 'graphql'
import { isObject } from '../../../shared/json/is-object.ts'
import { sendQuietly } from '../graph/send.ts'
import { errorsIn, objectOf, textOf } from '../json.ts'
import { createStore } from '../ui/store.ts'
import { noteDefaults } from './defaults.ts'

type SchemaState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly schema: GraphQLSchema }
  | { readonly kind: 'failed'; readonly reason: string }

/** A deprecation reason says that something is deprecated. Omitting `isDeprecated` saves a tenth of the response. */
const query = getIntrospectionQuery({
  inputValueDeprecation: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  oneOf: true,
}).replace(/\bisDeprecated\b/g, '')

async function readSchema(): Promise<GraphQLSchema> {
  const { status, answer } = await sendQuietly({ query, operationName: 'IntrospectionQuery' })
  const { data } = objectOf(answer)
  if (isObject(data)) return schemaFrom(data as unknown as IntrospectionQuery)
  throw new Error(textOf(errorsIn(answer)[0]?.message) ?? `The gateway answers with status ${status}.`)
}

function schemaFrom(data: IntrospectionQuery): GraphQLSchema {
  const schema = buildClientSchema(data)
  noteDefaults(schema, data)
  return schema
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
        error instanceof Error && !(error instanceof TypeError)
          ? error.message
          : 'The gateway cannot be reached.'
      schemaState.set({ kind: 'failed', reason })
    },
  )
}
