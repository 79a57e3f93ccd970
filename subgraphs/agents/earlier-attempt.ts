/** Finds out the outcome of writes whose response was lost. */
import type { SubgraphRequest } from '../../shared/request.ts'
import type { AgentsClient, IntentView } from './client.ts'
import type { Json } from './model.ts'
import { projectOfIntent } from './resource-names.ts'

/**
 * The result of `found` for the first intent of a project that has one. Rejects if the list could not be read to
 * its end.
 */
async function seekIntent<Found>(
  client: AgentsClient,
  project: string,
  view: IntentView,
  request: SubgraphRequest,
  found: (intent: Json) => Found | undefined,
): Promise<Found | undefined> {
  let one: Found | undefined
  const broken = await client.visitIntents(project, view, request, ({ items }) => {
    for (const intent of items) {
      one = found(intent)
      if (one !== undefined) return true
    }
    return false
  })
  if (broken !== undefined) throw broken
  return one
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
    plain.every(([name, value]) => intent[name] === value || isDefault(intent[name], value))
      ? intent
      : undefined,
  )
}

/** The service's JSON leaves out fields that have their default. */
const isDefault = (shown: unknown, given: unknown): boolean =>
  shown === undefined && (given === false || given === 0 || given === '')

export async function isIntent(
  client: AgentsClient,
  name: string,
  request: SubgraphRequest,
): Promise<boolean> {
  const project = projectOfIntent(name)
  if (project === undefined) return false
  const view = { full: false, languageCode: undefined }
  const found = await seekIntent(client, project, view, request, (intent) =>
    intent.name === name ? intent : undefined,
  )
  return found !== undefined
}
