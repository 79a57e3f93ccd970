/** How the answer of an operation comes: whole, in pieces, or as events. */
import { Kind, parse, visit } from 'graphql'
import type { Operation } from '../graph/operation.ts'

export type Delivery = 'whole' | 'pieces' | 'events'

/** `whole` also if the document cannot be parsed: the gateway says what is wrong with it. */
export function deliveryOf({ query, operationName }: Operation): Delivery {
  try {
    const document = parse(query, { noLocation: true })
    const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION)
    const operation = operations.find(({ name }) => name?.value === operationName) ?? operations[0]
    if (operation?.operation === 'subscription') return 'events'
    let hasPieces = false
    visit(document, {
      Directive({ name }) {
        if (name.value === 'defer' || name.value === 'stream') hasPieces = true
      },
    })
    return hasPieces ? 'pieces' : 'whole'
  } catch {
    return 'whole'
  }
}

/** What the request accepts: server-sent events, and JSON if nothing can begin. */
export const acceptsStream =
  'text/event-stream, application/graphql-response+json;q=0.9, application/json;q=0.8'

export const isEventStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true
