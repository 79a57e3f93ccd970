/**
 * The context of one request to the agents subgraph: the client, and what the request has read.
 *
 * The service promises no lookup of one intent, only the list. So intents are looked up by name in the list, in
 * its largest pages. All lookups of one tick and one agent go together, and no page is read beyond the last one
 * that is needed.
 */

import type { PartialErrors } from '../../shared/graphql/partial-errors.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import type { Awaitable } from '../../shared/runtime/is-promise.ts'
import { asError } from '../../shared/runtime/thrown.ts'
import { createLookUps, type Sharing } from '../kit/batching/index.ts'
import type { Json } from '../kit/json.ts'
import { memoized } from '../kit/memoized.ts'
import type { Pollers } from '../kit/polling/index.ts'
import type { Upstream } from '../kit/rest-client/index.ts'
import type { AgentsClient, IntentPage, IntentPageOptions, IntentView } from './client.ts'
import { isNotFound } from './failure.ts'
import { projectOfIntent } from './resource-names.ts'

export interface Context extends PartialErrors {
  readonly request: SubgraphRequest
  readonly client: AgentsClient
  readonly live: Pollers
  /** Undefined if the project has no agent. The agent is read once for each request. */
  readAgent(project: string): Promise<Json | undefined>
  /** A page of an agent's intents, which is read once in a request. */
  intentPage(project: string, page: IntentPageOptions): Promise<IntentPage>
  /** Null if no intent has this name. An intent that was read before is not read again. */
  readIntent(name: string, view: IntentView): Awaitable<Json | null>
  /** Forgets what was read, because something was changed. */
  forget(): void
}

/** The intent with a name in a project's list; an error if the list could not be read so far. */
type FindIntent = (name: string) => Json | Error | undefined

export function createContexts(
  upstream: Upstream,
  client: AgentsClient,
  options: { readonly share: boolean | Sharing; readonly live: Pollers },
): (request: SubgraphRequest) => Context {
  /**
   * Reads the list until all of these have been found. If it could not be read to its end, each of the others has an
   * error.
   */
  async function findInList(
    project: string,
    names: readonly string[],
    view: IntentView,
    request: SubgraphRequest,
  ): Promise<FindIntent> {
    const wanted = new Set(names)
    const found = new Map<string, Json>()
    const broken = await client.visitIntents(project, view, request, (intent) => {
      if (typeof intent.name === 'string' && wanted.has(intent.name)) found.set(intent.name, intent)
      return found.size >= wanted.size
    })
    return (name) => found.get(name) ?? broken
  }

  const intents = createLookUps<boolean, FindIntent, Json>({
    share: options.share,
    // The list is read once for all of them.
    maxIds: Number.POSITIVE_INFINITY,
    async fetch(names, full, request, view) {
      const [project, languageCode] = listOfView(view)
      try {
        return await findInList(project, names, { full, languageCode }, request)
      } catch (error) {
        // An agent that does not exist has no intents. A refusal concerns the list, and not single names.
        return () => (isNotFound(error) ? undefined : asError(error))
      }
    },
    pick: (name, find) => find(name) ?? null,
    unite: (some, others) => some || others,
    covers: (fetched, wanted) => fetched || !wanted,
  })

  return (request) => {
    const agents = new Map<string, Promise<Json | undefined>>()
    const intentPages = new Map<string, Promise<IntentPage>>()
    const ofIntents = intents(request, upstream.credentialKey(request))
    return {
      partialErrors: [],
      request,
      client,
      live: options.live,
      readAgent: (project) => memoized(agents, project, () => client.getAgent(project, request)),
      intentPage: (project, page) =>
        memoized(intentPages, [project, page], () => client.listIntents(project, page, request)),
      readIntent(name, { full, languageCode }) {
        const project = projectOfIntent(name)
        return project === undefined ? null : ofIntents.read(name, full, viewOfList(project, languageCode))
      },
      forget() {
        agents.clear()
        intentPages.clear()
        ofIntents.forget()
      },
    }
  }
}

/** The list that intents are looked up in, as the view of their lookups. */
const viewOfList = (project: string, languageCode: string | undefined): string =>
  JSON.stringify([project, languageCode])

const listOfView = (view: string): [project: string, languageCode: string | undefined] => {
  const [project, languageCode] = JSON.parse(view) as [string, string | null]
  return [project, languageCode ?? undefined]
}
