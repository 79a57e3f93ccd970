/** Every variable with its form: the key is its name, and `.describe` is its line in the manual. */
import { accessVariables } from './access.ts'
import { cachingVariables } from './caching.ts'
import { callsVariables } from './calls.ts'
import { clientsVariables } from './clients.ts'
import { connectionsVariables } from './connections.ts'
import { hooksVariables } from './hooks.ts'
import { limitsVariables } from './limits.ts'
import { listeningVariables } from './listening.ts'
import { observingVariables } from './observing.ts'
import { quotaVariables } from './quota.ts'
import { servicesVariables } from './services.ts'
import { shutdownVariables } from './shutdown.ts'
import { subgraphsVariables } from './subgraphs.ts'
import { subscriptionsVariables } from './subscriptions.ts'
import { supergraphVariables } from './supergraph.ts'

export const variables = {
  ...listeningVariables,
  ...servicesVariables,
  ...subgraphsVariables,
  ...supergraphVariables,
  ...accessVariables,
  ...quotaVariables,
  ...callsVariables,
  ...cachingVariables,
  ...shutdownVariables,
  ...limitsVariables,
  ...connectionsVariables,
  ...subscriptionsVariables,
  ...clientsVariables,
  ...hooksVariables,
  ...observingVariables,
} as const
