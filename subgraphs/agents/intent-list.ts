/** The list of an agent's intents, read page by page for what is sought in it. */
import type { GraphQLError } from 'graphql'
import type { SubgraphRequest } from '../../shared/request.ts'
import { visitPages } from '../kit/pagination/index.ts'
import type { AgentsClient, IntentPage, IntentView } from './client.ts'
import { operations } from './operations.ts'

/** An agent has 2000 intents at most, and a page may be shorter than it was asked for. */
const mostPages = 20

/** Reads until `visit` says that it is enough. Returns what is wrong if the list could not be read to its end. */
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
