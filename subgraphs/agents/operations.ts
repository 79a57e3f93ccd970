/**
 * The operations of the agents service, and which of them each field needs. The client sends them, connections and
 * lookups keep their bounds, and the gateway estimates operations from them.
 */
import type { ServiceCalls, ServiceOperation } from '../../shared/service-calls.ts'
import { listCalls, lookupCalls, plainCalls } from '../kit/calls.ts'
import { projectOfIntent } from './resource-names.ts'

const version = '/v2beta1'
const agent = `${version}/{project}/agent`
const read = { method: 'GET', safe: true } as const
const post = { method: 'POST', safe: false } as const
const remove = { method: 'DELETE', safe: false } as const

export const operations = {
  getAgent: { ...read, name: 'agents.getAgent', path: agent, cacheable: true },
  setAgent: { ...post, name: 'agents.setAgent', path: agent },
  deleteAgent: { ...remove, name: 'agents.deleteAgent', path: agent },
  exportAgent: { ...post, name: 'agents.export', path: `${agent}:export` },
  importAgent: { ...post, name: 'agents.import', path: `${agent}:import` },
  listIntents: {
    ...read,
    name: 'agents.intents.list',
    path: `${agent}/intents`,
    cacheable: true,
    pages: { maxPageSize: 1000, defaultPageSize: 100 },
  },
  createIntent: { ...post, name: 'agents.intents.create', path: `${agent}/intents` },
  patchIntent: { name: 'agents.intents.patch', method: 'PATCH', path: `${version}/{intent}`, safe: false },
  deleteIntent: { ...remove, name: 'agents.intents.delete', path: `${version}/{intent}` },
  detectIntent: { ...post, name: 'agents.detectIntent', path: `${version}/{session}:detectIntent` },
  deleteContexts: { ...remove, name: 'agents.deleteContexts', path: `${version}/{session}/contexts` },
  getOperation: { ...read, name: 'agents.operations.get', path: `${version}/{operation}` },
} as const satisfies Readonly<Record<string, ServiceOperation>>

/** Fields of an agent that need only its project. */
export const agentIds: ReadonlySet<string> = new Set(['id', 'project', 'parent', 'intents'])
/** Fields of an intent that need only its name. */
export const intentIds: ReadonlySet<string> = new Set(['id', 'name'])

const agentOf = lookupCalls(operations.getAgent, { free: agentIds })
/** Intents are looked up in the list of their agent: up to 1,000 intents of one agent in one call. */
const intent = lookupCalls(operations.listIntents, {
  free: intentIds,
  callsFor: (names) => new Set(names.map((name) => projectOfIntent(name))).size,
})

export const agentsCalls: ServiceCalls = {
  service: 'agents',
  fields: {
    'Query.agent': lookupCalls(operations.getAgent),
    'Query.intent': lookupCalls(operations.listIntents),
    'Query.agentOperation': plainCalls(operations.getOperation),
    'Agent.intents': listCalls(operations.listIntents),
    'Intent.agent': lookupCalls(operations.getAgent, { free: agentIds, ofList: true }),
    'MatchedIntent.intent': intent,
    'ImportAgentPayload.agent': agentOf,
    'DeleteIntentPayload.agent': agentOf,
    'Mutation.setAgent': plainCalls(operations.setAgent),
    'Mutation.deleteAgent': plainCalls(operations.deleteAgent),
    'Mutation.exportAgent': plainCalls(operations.exportAgent),
    'Mutation.importAgent': plainCalls(operations.importAgent),
    'Mutation.createIntent': plainCalls(operations.createIntent),
    'Mutation.updateIntent': plainCalls(operations.patchIntent),
    'Mutation.deleteIntent': plainCalls(operations.deleteIntent),
    'Mutation.detectIntent': plainCalls(operations.detectIntent),
    'Mutation.deleteContexts': plainCalls(operations.deleteContexts),
  },
  polls: {
    agentOperationChanged: { calls: plainCalls(operations.getOperation), everySeconds: 2 },
  },
  entities: { Agent: agentOf, Intent: intent },
}
