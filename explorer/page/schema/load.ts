/** Reads the served schema by introspection once the page is shown. */
import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
} from 'graphql'
import { useCallback, useEffect, useState } from 'react'
import { session } from '../graph/session.ts'
import { endpoint } from '../settings.ts'

export type SchemaState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly schema: GraphQLSchema }
  | { readonly kind: 'failed'; readonly reason: string }

/** A deprecation reason says that something is deprecated. Omitting `isDeprecated` saves a tenth of the response. */
const query = getIntrospectionQuery({ inputValueDeprecation: true }).replace(/\bisDeprecated\b/g, '')

async function load(): Promise<GraphQLSchema> {
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

/** Returns the schema, and a function that loads it again. */
export function useSchema(): readonly [SchemaState, () => void] {
  const [state, setState] = useState<SchemaState>({ kind: 'loading' })
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads it again
  useEffect(() => {
    let over = false
    setState({ kind: 'loading' })
    load().then(
      (schema) => {
        if (!over) setState({ kind: 'loaded', schema })
      },
      (error: unknown) => {
        const reason =
          error instanceof Error && !(error instanceof TypeError || error instanceof SyntaxError)
            ? error.message
            : 'The gateway cannot be reached.'
        if (!over) setState({ kind: 'failed', reason })
      },
    )
    return () => {
      over = true
    }
  }, [attempt])
  return [state, useCallback(() => setAttempt((before) => before + 1), [])]
}
