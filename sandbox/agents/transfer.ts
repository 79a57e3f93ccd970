/** Export and import of an agent as an archive of JSON files. */
import { randomUUID } from 'node:crypto'
import { readArchive, writeArchive } from './archive.ts'
import { checkIntent } from './check.ts'
import { invalidArgument } from './errors.ts'
import { printIntent, withoutOutputOnly } from './intent-form.ts'
import { putIntent } from './intents.ts'
import type { Project } from './project.ts'
import { type Json, messagesIn, printMessage, readMessage, stringsIn } from './proto.ts'

/** The files of an export: `agent.json`, `package.json` and one for each intent, in the order of the list. */
export function exportArchive(project: Project): Buffer {
  const view = { full: true, languageCode: String(project.agent.defaultLanguageCode) }
  return writeArchive([
    ['package.json', { version: '1.0.0' }],
    ['agent.json', printMessage('Agent', project.agent)],
    ...[...project.intents.values()].map((intent): [string, Json] => [
      `intents/${String(intent.common.displayName).replaceAll(/[/\\]/g, '_')}.json`,
      printIntent(project, intent, view),
    ]),
  ])
}

/** Adds the intents of an archive. Stops at the first fault, and returns its message. */
export function importArchive(project: Project, archive: Buffer): string | undefined {
  const files = readArchive(archive)
  if (files === undefined) throw invalidArgument('agent_content is not a ZIP archive.', 'agent_content')
  try {
    for (const [name, text] of files) {
      if (/^intents\/[^/]+\.json$/.test(name)) importIntent(project, JSON.parse(text))
    }
    return undefined
  } catch (cause) {
    return cause instanceof Error ? cause.message : 'the archive cannot be read'
  }
}

/** Adds an intent. If the display name exists already, that intent is replaced and keeps its id. */
function importIntent(project: Project, value: unknown): void {
  const given = withoutOutputOnly(readMessage('Intent', value, 'intent'))
  const { parentFollowupIntentName: _, ...independent } = given
  const same = [...project.intents.values()].find(({ common }) => common.displayName === given.displayName)
  const moved = (name: unknown): string =>
    String(name ?? '').replace(/^projects\/[^/]+\//, `projects/${project.id}/`)
  const intent: Json = {
    ...independent,
    inputContextNames: stringsIn(given.inputContextNames).map(moved),
    outputContexts: messagesIn(given.outputContexts).map((one) => ({ ...one, name: moved(one.name) })),
  }
  checkIntent(project, intent, same?.name)
  if (same === undefined) {
    putIntent(project, intent, randomUUID())
    return
  }
  const kept = putIntent(project, intent, same.name.slice(same.name.lastIndexOf('/') + 1))
  const { parentFollowupIntentName } = same.common
  const common = { ...kept.common, parentFollowupIntentName }
  project.intents.set(same.name, { ...kept, order: same.order, common })
}
