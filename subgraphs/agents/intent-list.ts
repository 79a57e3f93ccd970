/** Reads the list of an agent's intents page by page, to look for some of them. */
import type { GraphQLError } from 'graphql'
import type { SubgraphRequest } from '../../shared/request.ts'
import { visitPages } from '../kit/pagination/index.ts'
import type { AgentsClient, IntentPage, IntentView } from './client.ts'
import { operations } from './operations.ts'

/** An agent has at most 2000 intents, and pages may be shorter than requested. */
const mostPages = 20

/** Reads pages until `visit` returns true. Returns an error if the list could not be read to its end. */
export function visitIntents(
  client: AgentsClient,
  project: string,
  view: IntentView,
  request: SubgraphRequest,
  visit: (page: IntentPage) => boolean,
): Promise<GraphQLError | undefined> {
  const size = operations.listIntents.pages.maxPageSize
  return visitPages({
    service: 'agents',
    mostPages,
    fetch: (token) => client.listIntents(project, { size, token, ...view }, request),
    visit,
  })
}
