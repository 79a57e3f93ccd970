/** How the response of an operation comes: whole, in pieces, or as events. */
import { visit } from 'graphql'
import { chosenOf, documentOf, type Operation, operationsOf } from '../graph/operation.ts'

export type DeliveryMode = 'whole' | 'pieces' | 'events'

/** It is `whole` if the document cannot be parsed, so that the gateway can report the fault. */
export function deliveryModeOf({ query, operationName }: Operation): DeliveryMode {
  const document = documentOf(query)
  const operation = document && chosenOf(operationsOf(document), operationName)
  if (document === undefined || operation === undefined) return 'whole'
  if (operation.operation === 'subscription') return 'events'
  let hasPieces = false
  visit(document, {
    Directive({ name }) {
      if (name.value === 'defer' || name.value === 'stream') hasPieces = true
    },
  })
  return hasPieces ? 'pieces' : 'whole'
}

/** The `Accept` header of a subscription: server-sent events, and JSON for an error before the first event. */
export const acceptsStream =
  'text/event-stream, application/graphql-response+json;q=0.9, application/json;q=0.8'

export const isEventStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true
