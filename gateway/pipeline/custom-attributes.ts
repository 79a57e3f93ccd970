/** The caller's headers and claims that the operator adds to spans and metrics. They are bounded and never a credential. */
import type { z } from 'zod'
import { isLoggable } from './access-log.ts'
import type { attributes } from './config.ts'
import type { OperationContext } from './operation-context.ts'

export type CustomAttributes = NonNullable<z.output<typeof attributes>>
type AttributeNames = NonNullable<CustomAttributes['spans']>

type Attribute = readonly [name: string, value: string]

/** Longer values are cut. */
const longestValue = 200

/** The headers are read as the client sent them, without hooks' changes. */
type Caller = Pick<OperationContext, 'identity'> & {
  readonly sent: Pick<OperationContext['sent'], 'header'>
}

type ReadAttributes = (caller: Caller) => Attribute[]

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
        read: ({ sent }: Caller): unknown => sent.header(lower),
      }
    }),
    ...claims.filter(isLoggable).map((claim) => ({
      name: `${prefixes.claim}${claim}`,
      read: ({ identity }: Caller): unknown =>
        identity !== undefined && Object.hasOwn(identity.claims, claim) ? identity.claims[claim] : undefined,
    })),
  ]
  return (caller) =>
    readers.flatMap(({ name, read }): Attribute[] => {
      const value = read(caller)
      const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      return isPlain ? [[name, String(value).slice(0, longestValue)]] : []
    })
}
