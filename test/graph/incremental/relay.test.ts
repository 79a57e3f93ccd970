/** relay-runtime reads the flat form: a deferred fragment and a streamed list go into its store piece by piece. */
import { meros } from 'meros/browser'
import {
  type ConcreteRequest,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  type GraphQLResponse,
  Network,
  Observable,
  RecordSource,
  Store,
} from 'relay-runtime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Setting, startSetting } from './kit.ts'

let setting: Setting
beforeAll(async () => {
  setting = await startSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

/** As apps write it: each part goes on to Relay as it comes. */
function environment(): Environment {
  return new Environment({
    store: new Store(new RecordSource()),
    network: Network.create((params, variables) =>
      Observable.create<GraphQLResponse>((sink) => {
        const run = async (): Promise<void> => {
          const response = await fetch(setting.url, {
            method: 'POST',
            headers: { 'content-type': 'application/json', accept: 'multipart/mixed, application/json' },
            body: JSON.stringify({ query: params.text, variables }),
          })
          const parts = await meros<GraphQLResponse>(response)
          if (parts instanceof Response) sink.next(await parts.json())
          else for await (const part of parts) if (part.json) sink.next(part.body)
          sink.complete()
        }
        run().catch((error: Error) => sink.error(error))
      }),
    ),
  })
}

const scalar = (name: string) => ({ alias: null, args: null, kind: 'ScalarField', name, storageKey: null })

/** What relay-compiler makes of an operation, for one root field. */
function request(name: string, text: string, field: object): ConcreteRequest {
  const common = { argumentDefinitions: [], name, selections: [field] }
  return {
    kind: 'Request',
    fragment: { ...common, kind: 'Fragment', metadata: null, type: 'Query', abstractKey: null },
    operation: { ...common, kind: 'Operation' },
    params: { cacheID: name, id: null, metadata: {}, name, operationKind: 'query', text },
  } as unknown as ConcreteRequest
}

async function seenBy(asked: ConcreteRequest): Promise<unknown[]> {
  const relay = environment()
  const descriptor = createOperationDescriptor(asked, {})
  relay.retain(descriptor)
  const seen: unknown[] = []
  await new Promise<void>((resolve, reject) => {
    fetchQuery(relay, asked, {}).subscribe({
      next() {
        seen.push(JSON.parse(JSON.stringify(relay.lookup(descriptor.fragment).data)))
        setting.release()
      },
      complete: resolve,
      error: reject,
    })
  })
  return seen
}

test('@defer', async () => {
  setting.hold()
  const label = 'deferred$defer$stars'
  const seen = await seenBy(
    request(
      'deferred',
      `query deferred { item(id: "2") { id name ... @defer(label: "${label}") { stars id } } }`,
      {
        alias: null,
        args: [{ kind: 'Literal', name: 'id', value: '2' }],
        concreteType: 'Item',
        kind: 'LinkedField',
        name: 'item',
        plural: false,
        selections: [
          scalar('id'),
          scalar('name'),
          { if: null, kind: 'Defer', label, selections: [scalar('stars'), scalar('id')] },
        ],
        storageKey: 'item(id:"2")',
      },
    ),
  )
  expect(seen[0]).toEqual({ item: { id: '2', name: 'Item 2' } })
  expect(seen.at(-1)).toEqual({ item: { id: '2', name: 'Item 2', stars: 20 } })
})

test('@stream', async () => {
  const label = 'streamed$stream$items'
  const seen = await seenBy(
    request('streamed', `query streamed { items @stream(label: "${label}", initialCount: 1) { id name } }`, {
      if: null,
      kind: 'Stream',
      label,
      selections: [
        {
          alias: null,
          args: null,
          concreteType: 'Item',
          kind: 'LinkedField',
          name: 'items',
          plural: true,
          selections: [scalar('id'), scalar('name')],
          storageKey: null,
        },
      ],
    }),
  )
  const lengths = seen.map((each) => (each as { items: unknown[] }).items.length)
  expect(lengths[0]).toBe(1)
  expect((seen.at(-1) as { items: unknown[] }).items).toEqual(
    [1, 2, 3, 4, 5].map((id) => ({ id: String(id), name: `Item ${id}` })),
  )
})
