/** Requests of Apollo Server as the pipeline takes them, and its answers as Apollo Server takes those. */
import { randomUUID } from 'node:crypto'
import {
  type ApolloServerOptions,
  type BaseContext,
  HeaderMap,
  type HTTPGraphQLRequest,
} from '@apollo/server'
import { GraphQLError } from 'graphql'
import { acceptable, errorBehaviorFrom } from '../graphql-http/negotiation.ts'
import { OperationContext, type OperationResponse, objectForm } from '../pipeline/index.ts'
import type { createChallengeHead } from '../server/resource-metadata.ts'

type Gateway = NonNullable<ApolloServerOptions<BaseContext>['gateway']>
type Executor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>
type ApolloRequest = Parameters<Executor>[0]
type Data = Readonly<Record<string, unknown>>

const headerOf =
  ({ request }: ApolloRequest) =>
  (name: string): string | undefined =>
    request.http?.headers.get(name) ?? undefined

export function operationIn(asked: ApolloRequest, onError: unknown): OperationContext<Data> {
  const { request, source, operationName } = asked
  const { http } = request
  const header = headerOf(asked)
  return new OperationContext({
    id: header('x-request-id') ?? randomUUID(),
    header,
    headers: http === undefined ? undefined : Object.fromEntries(http.headers),
    params: () => ({
      query: source,
      operationName: operationName ?? undefined,
      variables: request.variables ?? {},
      extensions: request.extensions,
      onError: errorBehaviorFrom(onError),
    }),
    queriesOnly: http?.method === 'GET',
    mediaType: acceptable(header('accept')) ?? 'application/json',
    form: objectForm,
  })
}

/** As it stands in the body, or in the address of a GET. */
export function onErrorIn({ body, search }: HTTPGraphQLRequest): unknown {
  if (typeof body === 'object' && body !== null && 'onError' in body) return body.onError
  return new URLSearchParams(search).get('onError') || undefined
}

/** Headers go into Apollo Server's own response, the status and the challenge into the errors. */
export function answerTo(
  asked: ApolloRequest,
  { status, result, challenge, head = [] }: OperationResponse<Data>,
  challengeHead: ReturnType<typeof createChallengeHead>,
): Awaited<ReturnType<Executor>> {
  const { data, errors, extensions } = result
  for (let at = 0; at + 1 < head.length; at += 2)
    asked.response?.http?.headers.append(head[at] ?? '', head[at + 1] ?? '')
  const headers = new HeaderMap()
  if (challenge !== undefined) {
    const [name = '', value = ''] = challengeHead(challenge, headerOf(asked)('host'))
    headers.set(name, value)
  }
  return {
    ...(data === undefined ? {} : { data }),
    ...(errors === undefined
      ? {}
      : { errors: data == null || status !== 200 ? withStatus(errors, status, headers) : errors }),
    ...(extensions === undefined ? {} : { extensions: { ...extensions } }),
  }
}

/** Apollo Server reads the status of a response from its errors, and removes it there before it responds. */
function withStatus(
  [first, ...others]: readonly GraphQLError[],
  status: number,
  headers: HeaderMap,
): GraphQLError[] {
  if (first === undefined) return []
  const { message, path, extensions, originalError } = first
  // The form that Apollo Server reads. Its types know only one of the two forms of its own class.
  const carried: Record<string, unknown> = { ...extensions, http: { status, headers } }
  const carrier = new GraphQLError(message, {
    ...(path === undefined ? {} : { path }),
    ...(originalError == null ? {} : { originalError }),
    extensions: carried,
  })
  return [carrier, ...others]
}
