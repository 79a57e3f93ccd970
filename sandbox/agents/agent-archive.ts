/**
 * Export and import of an agent as a ZIP archive with one JSON file for each object. Archives come from outside, so the
 * number of files, the bytes and the unpacked bytes are checked before anything is unpacked.
 */

import { randomUUID } from 'node:crypto'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { checkIntent } from './check.ts'
import { invalidArgument } from './errors.ts'
import { printIntent, putIntent, withoutOutputOnly } from './intents.ts'
import type { Project } from './project.ts'
import { type Json, messagesIn, printMessage, readMessage, stringsIn } from './proto.ts'

const maxFiles = 5000
/** Bounds the time of unpacking, because each packed byte unpacks to at most about a thousand. */
const maxPacked = 2 * 1024 * 1024
const maxUnpacked = 32 * 1024 * 1024
/** ZIP has no earlier date. A fixed date makes the archive of an agent reproducible. */
const modified = new Date(1980, 0, 1)

function writeArchive(files: Iterable<readonly [name: string, content: unknown]>): Buffer {
  const texts = [...files].map(([name, content]): [string, Uint8Array] => [
    name,
    strToU8(`${JSON.stringify(content, null, 2)}\n`),
  ])
  return Buffer.from(zipSync(Object.fromEntries(texts), { mtime: modified }))
}

/** The texts by file name; undefined if the bytes are no ZIP archive within the bounds. */
function readArchive(bytes: Buffer): ReadonlyMap<string, string> | undefined {
  let files = 0
  let packed = 0
  let unpacked = 0
  try {
    const contents = unzipSync(bytes, {
      filter({ size, originalSize }) {
        files += 1
        packed += size
        unpacked += originalSize
        if (files > maxFiles || packed > maxPacked || unpacked > maxUnpacked) throw new Error('too large')
        return true
      },
    })
    return new Map(Object.entries(contents).map(([name, content]) => [name, strFromU8(content)]))
  } catch {
    return undefined
  }
}

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
