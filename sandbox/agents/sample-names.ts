/** The names of the sample data. */
import { createHash } from 'node:crypto'

/** An id that is computed from the text alone. */
export function stableId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
export function sampleIntentName(displayName: string): string {
  return `projects/demo/agent/intents/${stableId(displayName)}`
}

/** Names for tests and for trying the sandbox, by what is special about them. */
export const sampleAgents = {
  project: 'demo',
  /** It has no agent. */
  emptyProject: 'nothing-here',
  environments: ['draft', 'production'],
  intents: {
    welcome: sampleIntentName('Default Welcome Intent'),
    fallback: sampleIntentName('Default Fallback Intent'),
    /** It has two mandatory parameters and an optional one. */
    order: sampleIntentName('pizza.order'),
    /** A follow-up of `order` that has a follow-up of its own. */
    orderYes: sampleIntentName('pizza.order - yes'),
    orderYesMore: sampleIntentName('pizza.order - yes - more'),
    /** It has a webhook. */
    weather: sampleIntentName('weather.now'),
    /** Its webhook fails, which the status in the response says. */
    stock: sampleIntentName('stock.price'),
    goodbye: sampleIntentName('goodbye'),
  },
  intentCount: 230,
} as const
