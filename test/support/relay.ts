/** What relay-compiler makes of an operation, for apps of a test that are not compiled. */
import type { ConcreteRequest } from 'relay-runtime'

export const relayScalar = (name: string) => ({
  alias: null,
  args: null,
  kind: 'ScalarField',
  name,
  storageKey: null,
})

/** A field of objects, with all that is usual of it unless `more` says otherwise. */
export const relayLinked = (
  name: string,
  concreteType: string,
  selections: readonly object[],
  more = {},
) => ({
  ...{ alias: null, args: null, concreteType, kind: 'LinkedField', name, plural: false, selections },
  storageKey: null,
  ...more,
})

interface Operation {
  readonly kind?: 'query' | 'subscription'
  readonly name: string
  readonly text: string
  readonly field: object
  readonly argumentDefinitions?: readonly object[]
}

export function relayRequest({
  kind = 'query',
  name,
  text,
  field,
  argumentDefinitions = [],
}: Operation): ConcreteRequest {
  const common = { argumentDefinitions, name, selections: [field] }
  const type = kind === 'query' ? 'Query' : 'Subscription'
  return {
    kind: 'Request',
    fragment: { ...common, kind: 'Fragment', metadata: null, type, abstractKey: null },
    operation: { ...common, kind: 'Operation' },
    params: { cacheID: name, id: null, metadata: {}, name, operationKind: kind, text },
  } as unknown as ConcreteRequest
}
