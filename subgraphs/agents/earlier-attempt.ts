/** Finds out the outcome of writes whose response was lost. */
import type { SubgraphRequest } from '../../shared/request.ts'
import type { Json } from '../kit/json.ts'
import type { AgentsClient, IntentView } from './client.ts'
import { projectOfIntent } from './resource-names.ts'

/** The first intent of a project that matches. Rejects if the list could not be read to its end. */
async function seekIntent(
  client: AgentsClient,
  project: string,
  view: IntentView,
  request: SubgraphRequest,
  matches: (intent: Json) => boolean,
): Promise<Json | undefined> {
  let found: Json | undefined
  const broken = await client.visitIntents(project, view, request, (intent) => {
    if (matches(intent)) found = intent
    return found !== undefined
  })
  if (broken !== undefined) throw broken
  return found
}

/**
 * The intent that was created with these fields. Display names are unique in an agent, so an intent of the same
 * name with other fields is somebody else's, and the service refuses to create it again.
 */
export function findIntent(
  client: AgentsClient,
  project: string,
  body: Json,
  view: IntentView,
  request: SubgraphRequest,
): Promise<Json | undefined> {
  const plain = Object.entries(body).filter(([, value]) => typeof value !== 'object')
  return seekIntent(client, project, view, request, (intent) =>
    plain.every(([name, value]) => isSame(name, intent[name], value)),
  )
}

/** Values that the service's JSON leaves out. */
const defaults: ReadonlySet<unknown> = new Set([false, 0, '', 'WEBHOOK_STATE_UNSPECIFIED'])

function isSame(name: string, shown: unknown, given: unknown): boolean {
  // A priority of 0 stands for 500000.
  const isShownAsSet = name === 'priority' && given === 0 && shown === 500_000
  return shown === given || isShownAsSet || (shown === undefined && defaults.has(given))
}

export async function isIntent(
  client: AgentsClient,
  name: string,
  request: SubgraphRequest,
): Promise<boolean> {
  const project = projectOfIntent(name)
  if (project === undefined) return false
  const view = { full: false, languageCode: undefined }
  return (await seekIntent(client, project, view, request, (intent) => intent.name === name)) !== undefined
}
