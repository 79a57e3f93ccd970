/**
 * Decides which requests a subgraph service executes. A gateway proves itself with its signature, another router
 * with the secret. Without proof only the subgraph's own SDL is served, and that only by configuration; then exactly
 * the operation that was checked is executed, whatever else the request holds.
 */
import type { IncomingMessage } from 'node:http'
import { Kind, parse } from 'graphql'
import { headerOf } from '../../contract/headers.ts'
import { createVerifier, routerHeader } from '../../contract/signature.ts'
import { paramsFrom, paramsFromUrl } from '../http/negotiation.ts'

/** An operation to execute: the parameters of a GET or the body of a POST. */
export interface AdmittedOperation {
  readonly method: 'GET' | 'POST'
  /** Of the URL, with its question mark; empty for POST. */
  readonly search: string
  /** The body, parsed; undefined for GET. */
  readonly json: unknown
}

/** What is signed of a request, beside its body. */
type Proving = Pick<IncomingMessage, 'headers' | 'method' | 'url'>

export interface Admission {
  /** Whether the gateway proves itself; without a secret every request counts as proven. */
  isProven(raw: Proving, body: string | Buffer): boolean
  /** Whether this is what another router proves itself with, where it does not say so by a header. */
  isRouter(authorization: string): boolean
  /** The operation to execute; undefined where it may not be. */
  admit(raw: Proving, body: Buffer): AdmittedOperation | undefined
}

export interface AdmissionOptions {
  /** The name of the subgraph. */
  readonly audience: string
  readonly secret: string | undefined
  readonly introspection: boolean
}

export function createAdmission({ audience, secret, introspection }: AdmissionOptions): Admission {
  const verify = secret === undefined ? undefined : createVerifier(secret)

  function isProven(raw: Proving, body: string | Buffer): boolean {
    if (verify === undefined) return true
    const { headers, method = '', url: path = '' } = raw
    return verify({ method, path, audience, header: (name) => headerOf(headers, name), body })
  }

  return {
    isProven,
    isRouter(authorization) {
      if (verify === undefined) return true
      const header = (name: string): string | undefined => (name === routerHeader ? authorization : undefined)
      return verify({ method: 'GET', path: '', audience, header, body: '' })
    },
    admit(raw, body) {
      const isGet = raw.method === 'GET'
      if (isProven(raw, body)) {
        return isGet
          ? { method: 'GET', search: searchOf(raw.url), json: undefined }
          : { method: 'POST', search: '', json: parsed(body) }
      }
      if (!introspection) return undefined
      const query = queryOf(raw, body)
      return query !== undefined && isServiceQuery(query)
        ? { method: 'POST', search: '', json: { query } }
        : undefined
    },
  }
}

function searchOf(url = '/'): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at)
}

function queryOf(raw: Proving, body: Buffer): string | undefined {
  try {
    return (raw.method === 'GET' ? paramsFromUrl(raw.url ?? '') : paramsFrom(parsed(body))).query
  } catch {
    return undefined
  }
}

/** Whether this document selects nothing but the subgraph's own SDL. */
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

function parsed(body: Buffer): unknown {
  if (body.length === 0) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
