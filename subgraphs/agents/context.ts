/**
 * The context of one request to the agents subgraph: the client, and what the request has read.
 *
 * The service promises no lookup of one intent, only the list. So intents are looked up by name in the list, in
 * its largest pages. All lookups of one tick and one agent go together, and no page is read beyond the last one
 * that is needed.
 */

import type { GraphQLError } from 'graphql'
import { codeOf } from '../../shared/errors.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import type { Awaitable } from '../../shared/runtime/is-promise.ts'
import { asError } from '../../shared/runtime/thrown.ts'
import { createLookUps, type Sharing } from '../kit/batching/index.ts'
import type { Json } from '../kit/json.ts'
import { memoized } from '../kit/memoized.ts'
import type { Pollers } from '../kit/polling/index.ts'
import type { Upstream } from '../kit/rest-client/index.ts'
import type { AgentsClient, IntentPage, IntentPageOptions, IntentView } from './client.ts'
import { projectOfIntent } from './resource-names.ts'

export type Context = ReturnType<ReturnType<typeof createContexts>>

/** The intent with a name in a project's list; an error if the list could not be read so far. */
type FindIntent = (name: string) => Json | Error | undefined

export function createContexts(
  upstream: Upstream,
  client: AgentsClient,
  options: { readonly share: boolean | Sharing; readonly live: Pollers },
) {
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
      const [project = '', languageCode] = view.split(' ')
      try {
        return await findInList(project, names, { full, languageCode: languageCode || undefined }, request)
      } catch (error) {
        // An agent that does not exist has no intents. A refusal concerns the list, and not single names.
        return () => (isNotFound(error) ? undefined : asError(error))
      }
    },
    pick: (name, find) => find(name) ?? null,
    unite: (some, others) => some || others,
    covers: (fetched, wanted) => fetched || !wanted,
  })

  return (request: SubgraphRequest) => {
    const agents = new Map<string, Promise<Json | undefined>>()
    const intentPages = new Map<string, Promise<IntentPage>>()
    const ofIntents = intents(request, upstream.credentialKey(request))
    return {
      partialErrors: [] as GraphQLError[],
      request,
      client,
      live: options.live,
      /** Undefined if the project has no agent. */
      readAgent: (project: string) => memoized(agents, project, () => client.getAgent(project, request)),
      intentPage: (project: string, page: IntentPageOptions) =>
        memoized(intentPages, [project, page], () => client.listIntents(project, page, request)),
      /** Null if no intent has this name. An intent that was read before is not read again. */
      readIntent(name: string, { full, languageCode }: IntentView): Awaitable<Json | null> {
        const project = projectOfIntent(name)
        if (project === undefined) return null
        // Neither of them has a space.
        return ofIntents.read(name, full, `${project} ${languageCode ?? ''}`)
      },
      /** Forgets what was read, because something was changed. */
      forget() {
        agents.clear()
        intentPages.clear()
        ofIntents.forget()
      },
    }
  }
}

export function isNotFound(error: unknown): boolean {
  return codeOf(error) === 'NOT_FOUND'
}
