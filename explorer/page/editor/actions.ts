/** The actions of buttons, keys and the command palette. */
import { formatJson } from '../json.ts'
import { clearResponses, findAsked, uploadFile } from '../result/views.ts'
import { sdlOf } from '../schema/defaults.ts'
import { loadedSchema } from '../schema/load.ts'
import { download } from '../ui/copy-and-download.ts'
import { say } from '../ui/feedback.tsx'
import { closeOverlay, overlay } from '../ui/overlay.ts'
import { operationNameAtCursor, operationNameOf } from './chosen-operation.ts'
import { panel } from './navigation.ts'
import { leave, run } from './run.ts'
import {
  changeDraft,
  currentDraft,
  type OperationText,
  openDraft,
  reopenDraft,
  replaceQuery,
} from './workspace.ts'

export const runOpen = (): void => run(operationNameAtCursor() ?? operationNameOf(currentDraft()))

export const explainOpen = (): void => run(operationNameOf(currentDraft()), true)

export const open = (text: OperationText): void => show(() => openDraft(text))

export const reopen = (): void => show(reopenDraft)

function show(openIt: () => void): void {
  leave()
  openIt()
  clearResponses()
  panel.set('operation')
}

export function find(): void {
  panel.set('result')
  findAsked.set(findAsked.current() + 1)
}

/** Opens and runs the operation that asks for the upload address of a file. */
export function askForUpload(file: File, text: OperationText): void {
  closeOverlay()
  uploadFile.set(file)
  open(text)
  run(undefined)
}

/** Prettier keeps comments. It is loaded when it is first used. */
const loadPrettier = () =>
  Promise.all([import('prettier/standalone'), import('prettier/plugins/graphql')]).catch(() => undefined)

export async function format(): Promise<void> {
  const draft = currentDraft()
  const { query, variables, headers } = draft
  changeDraft({ variables: formatJson(variables), headers: formatJson(headers) })
  const loaded = await loadPrettier()
  if (loaded === undefined) {
    say('The formatter could not be loaded.', true)
    return
  }
  const [{ format: prettier }, graphql] = loaded
  const formatted = await prettier(query, { parser: 'graphql', plugins: [graphql] }).catch(() => undefined)
  if (formatted === undefined) say('This cannot be formatted: it is not valid GraphQL.', true)
  else replaceQuery(draft, formatted)
}

export function downloadSdl(): void {
  const schema = loadedSchema()
  if (schema !== undefined) download('schema.graphql', sdlOf(schema), 'application/graphql')
}

export const togglePalette = (): void => overlay.set(overlay.current() === 'palette' ? undefined : 'palette')
