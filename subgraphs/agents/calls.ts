/** What the fields of the agents subgraph cost in calls. */
import type { PlainCalls, ServiceCalls } from '../lib/calls.ts'

const plain = (...operations: readonly string[]): PlainCalls => ({ kind: 'plain', calls: () => operations })

export const agentsCalls: ServiceCalls = {
  service: 'agents',
  prices: {},
  fields: {
    'Query.agent': {
      kind: 'lookup',
      operation: 'agents.getAgent',
      batch: 1,
      free: new Set(['id', 'project', '__typename', 'intents']),
    },
    'Query.agentOperation': plain('agents.operations.get'),
    'Agent.intents': {
      kind: 'list',
      operation: 'agents.intents.list',
      maxPageSize: 1000,
      defaultPageSize: 100,
    },
    'Mutation.setAgent': plain('agents.setAgent'),
    'Mutation.deleteAgent': plain('agents.deleteAgent'),
    'Mutation.exportAgent': plain('agents.export'),
    'Mutation.importAgent': plain('agents.import'),
    'Mutation.createIntent': plain('agents.intents.create'),
    'Mutation.updateIntent': plain('agents.intents.patch'),
    'Mutation.deleteIntent': plain('agents.intents.delete'),
    'Mutation.detectIntent': plain('agents.detectIntent'),
    'Mutation.deleteContexts': plain('agents.deleteContexts'),
  },
  entities: {
    Agent: {
      kind: 'lookup',
      operation: 'agents.getAgent',
      batch: 1,
      free: new Set(['id', 'project', '__typename', 'intents']),
    },
    Intent: {
      kind: 'lookup',
      operation: 'agents.intents.list',
      batch: 1,
      free: new Set(['id', 'name', '__typename']),
    },
  },
  apart: {},
}
