/**
 * Decides which requests a subgraph service executes. A gateway proves itself with its signature, another router with
 * the secret. Without proof only the subgraph's own SDL is served, and only if configured; then exactly the checked
 * operation is executed, whatever else the request contains.
 */
import type { IncomingMessage } from 'node:http'
import { type GraphQLError, Kind, parse } from 'graphql'
import { tesseraError } from '../../shared/errors.ts'
import { headerOf } from '../../shared/http/headers.ts'
import { createVerifier, routerHeader, signatureHeader } from '../../shared/http/signature.ts'
import { type GraphqlOverHttp, type HttpResponse, refusal } from '../graphql-http/graphql-over-http.ts'
import type { HttpRequest } from '../graphql-http/http-operation.ts'
import { acceptable, paramsFrom, paramsFromUrl, readBody } from '../graphql-http/negotiation.ts'
import type { HttpProfile } from '../pipeline/result-status.ts'

/** The parts of a request that the signature covers, except its body. */
type Proving = Pick<IncomingMessage, 'headers' | 'method' | 'url'>

export type Admission = ReturnType<typeof createAdmission>

interface AdmissionOptions {
  /** The name of the subgraph. */
  readonly audience: string
  readonly secret: string | undefined
  readonly introspection: boolean
  readonly httpProfile?: HttpProfile | undefined
}

export function createAdmission({ audience, secret, introspection, httpProfile }: AdmissionOptions) {
  const verify = secret === undefined ? undefined : createVerifier(secret)

  /** Whether the request has the gateway's signature. Without a secret every request counts as signed. */
  function isProven(raw: Proving, body: string | Buffer): boolean {
    if (verify === undefined) return true
    const { headers, method = '', url: path = '' } = raw
    return verify({ method, path, audience, header: (name) => headerOf(headers, name), body })
  }

  return {
    isProven,
    /** Whether this is another router's secret, if it is not in a header. */
    isRouter(authorization: string): boolean {
      if (verify === undefined) return true
      const header = (name: string): string | undefined => (name === routerHeader ? authorization : undefined)
      return verify({ method: 'GET', path: '', audience, header, body: '' })
    },
    /** The same, for requests that may be answered. */
    before:
      (respond: GraphqlOverHttp): GraphqlOverHttp =>
      (http, watch) => {
        const { method, headers, body } = http
        const refuse = (error: GraphQLError): HttpResponse =>
          refusal(error, acceptable(headers.accept) ?? 'application/json', httpProfile)
        if (method === 'GET' && body.length > 0)
          return refuse(tesseraError('BAD_REQUEST', 'A GET request has no body: send the query in the URL.'))
        if (isProven(http, body)) return respond(http, watch)
        const query = introspection ? queryOf(http) : undefined
        if (query === undefined || !isServiceQuery(query)) {
          const expected = `expected ${signatureHeader} or ${routerHeader}`
          const message = `This subgraph executes only what a gateway proves to have sent (${expected}).`
          return refuse(tesseraError('UNAUTHENTICATED', message))
        }
        const checked = {
          ...{ method: 'POST', url: '/graphql', body: JSON.stringify({ query }) },
          headers: { ...headers, 'content-type': 'application/json' },
        }
        return respond({ ...http, ...checked }, watch)
      },
  }
}

function queryOf({ method, url, body }: HttpRequest): string | undefined {
  try {
    return (method === 'GET' ? paramsFromUrl(url) : paramsFrom(readBody(body))).query
  } catch {
    return undefined
  }
}

/** Whether this document selects only the subgraph's own SDL. */
function isServiceQuery(query: string): boolean {
  if (query.length > 2000) return false
  try {
    const [definition, ...others] = parse(query, { maxTokens: 100 }).definitions
    return (
      others.length === 0 &&
      definition?.kind === Kind.OPERATION_DEFINITION &&
      definition.selectionSet.selections.every(
        (selection) => selection.kind === Kind.FIELD && selection.name.value === '_service',
      )
    )
  } catch {
    return false
  }
}
