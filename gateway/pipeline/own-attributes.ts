/** Headers and claims of the caller that the operator wants on spans and metrics: bounded, and never a credential. */
import { isLoggable } from './access-line.ts'
import type { OperationRequest } from './operation-request.ts'
import type { RequestState } from './request-state.ts'

export interface AttributeNames {
  readonly headers?: readonly string[] | undefined
  readonly claims?: readonly string[] | undefined
}

export interface OwnAttributes {
  readonly spans?: AttributeNames | undefined
  readonly metrics?: (AttributeNames & { readonly mostValues: number }) | undefined
}

export type Attribute = readonly [name: string, value: string]

/** Longer values are cut. */
const longestValue = 200

export type ReadAttributes = (request: Pick<OperationRequest, 'header'>, state: RequestState) => Attribute[]

/** `prefixes`: what the names of headers and of claims begin with. */
export function createAttributes(
  { headers = [], claims = [] }: AttributeNames,
  prefixes: { readonly header: string; readonly claim: string },
): ReadAttributes {
  const readers = [
    ...headers.filter(isLoggable).map((header) => {
      const lower = header.toLowerCase()
      return {
        name: `${prefixes.header}${lower}`,
        read: (request: Pick<OperationRequest, 'header'>, _: RequestState): unknown => request.header(lower),
      }
    }),
    ...claims.filter(isLoggable).map((claim) => ({
      name: `${prefixes.claim}${claim}`,
      read: (_: Pick<OperationRequest, 'header'>, { identity }: RequestState): unknown =>
        identity !== undefined && Object.hasOwn(identity.claims, claim) ? identity.claims[claim] : undefined,
    })),
  ]
  return (request, state) =>
    readers.flatMap(({ name, read }): Attribute[] => {
      const value = read(request, state)
      const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      return isPlain ? [[name, String(value).slice(0, longestValue)]] : []
    })
}
