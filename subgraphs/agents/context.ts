/**
 * The context of one request to the agents subgraph: the client, and what the request has read.
 *
 * The service promises no look-up of one intent, only the list. So intents are looked up by name in the list, in
 * its largest pages. All look-ups of one tick and one agent go together, and no page is read beyond the last one
 * that is needed.
 */

import type { PartialErrors } from '../../shared/graphql/partial-errors.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import { asError } from '../../shared/runtime/thrown.ts'
import { createBatch, type Sharing } from '../kit/batching/index.ts'
import type { Upstream } from '../kit/rest-client/index.ts'
import type { AgentsClient, IntentView } from './client.ts'
import { visitIntents } from './intent-list.ts'
import type { AgentsLive } from './live.ts'
import type { Json } from './model.ts'
import { partsOfIntentName } from './resource-names.ts'

export interface Context extends PartialErrors {
  readonly request: SubgraphRequest
  readonly client: AgentsClient
  readonly live: AgentsLive
  /** Undefined if the project has no agent. The agent is read once for each request. */
  readAgent(project: string): Promise<Json | undefined>
  /** Undefined if no intent has this name. */
  readIntent(name: string, view: IntentView): Promise<Json | undefined>
  /** Forgets what was read, because something was changed. */
  forget(): void
}

interface IntentWant extends IntentView {
  readonly name: string
  readonly project: string
}

export function createContexts(
  upstream: Upstream,
  client: AgentsClient,
  options: { readonly share: boolean | Sharing; readonly live: AgentsLive },
): (request: SubgraphRequest) => Context {
  /** The intents of the list by name. If the list could not be read to its end, each of the others has an error. */
  async function findInList(
    project: string,
    wants: readonly IntentWant[],
    request: SubgraphRequest,
  ): Promise<(name: string) => Json | Error | undefined> {
    const names = new Set(wants.map((want) => want.name))
    const found = new Map<string, Json>()
    const full = wants.some((want) => want.full)
    const languageCode = wants[0]?.languageCode
    const broken = await visitIntents(client, project, { full, languageCode }, request, ({ items }) => {
      for (const intent of items) {
        if (typeof intent.name === 'string' && names.has(intent.name)) found.set(intent.name, intent)
      }
      return found.size >= names.size
    })
    return (name) => found.get(name) ?? broken
  }

  const intents = createBatch<IntentWant, Json | undefined>({
    share: options.share,
    async fetch(wants, request) {
      const lists = new Map<string, IntentWant[]>()
      for (const want of wants) {
        const list = `${want.project} ${want.languageCode ?? ''}`
        lists.set(list, [...(lists.get(list) ?? []), want])
      }
      const answers = new Map<IntentWant, Json | undefined | Error>()
      await Promise.all(
        [...lists.values()].map(async (list) => {
          try {
            const found = await findInList(list[0]?.project ?? '', list, request)
            for (const want of list) answers.set(want, found(want.name))
          } catch (error) {
            // An agent that does not exist has no intents. Other failures concern this list alone.
            const failure = isNotFound(error) ? undefined : asError(error)
            for (const want of list) answers.set(want, failure)
          }
        }),
      )
      return wants.map((want) => answers.get(want) as Json | Error)
    },
  })

  return (request) => {
    const agents = new Map<string, Promise<Json | undefined>>()
    const read = new Map<string, { readonly full: boolean; readonly answer: Promise<Json | undefined> }>()
    const load = intents.of(request, upstream.credentialKey(request))
    return {
      partialErrors: [],
      request,
      client,
      live: options.live,
      readAgent(project) {
        const known = agents.get(project) ?? client.getAgent(project, request)
        agents.set(project, known)
        return known
      },
      readIntent(name, view) {
        const key = `${name} ${view.languageCode ?? ''}`
        const known = read.get(key)
        if (known !== undefined && (known.full || !view.full)) return known.answer
        const project = partsOfIntentName(name)?.project
        if (project === undefined) return Promise.resolve(undefined)
        const answer = load.one({ name, project, ...view })
        read.set(key, { full: view.full, answer })
        return answer
      },
      forget() {
        agents.clear()
        read.clear()
      },
    }
  }
}

/** Whether the service said that the object does not exist. */
export function isNotFound(error: unknown): boolean {
  return (
    error instanceof Error &&
    'extensions' in error &&
    (error.extensions as { code?: unknown } | undefined)?.code === 'NOT_FOUND'
  )
}
