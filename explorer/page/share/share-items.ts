/** The share menu of the open operation: a link, and the operation as a snippet. */
import { operationNameOf } from '../editor/chosen-operation.ts'
import { currentDraft } from '../editor/workspace.ts'
import { session } from '../graph/session.ts'
import { objectFrom } from '../json.ts'
import { viewShown } from '../result/views.ts'
import { loadedSchema } from '../schema/load.ts'
import { endpoint } from '../settings.ts'
import { copyText } from '../ui/copy-and-download.ts'
import { say } from '../ui/feedback.tsx'
import type { MenuItem } from '../ui/menu.tsx'
import { fragmentOf } from './link.ts'
import { curlOf, fetchOf, type Snippet } from './snippets.ts'
import { typedClientOf } from './typed-client.ts'

async function give(text: string | undefined, done: string, otherwise: string): Promise<void> {
  if (text === undefined) say(otherwise, true)
  else if (await copyText(text)) say(done)
  else say('The browser does not allow copying.', true)
}

async function giveLink(): Promise<void> {
  const { query, variables } = currentDraft()
  const fragment = await fragmentOf({ query, variables, tab: viewShown() })
  await give(
    fragment && new URL(fragment, location.href.split('#')[0]).href,
    'Link copied: the operation and its variables, no token.',
    'It is too long for a link.',
  )
}

/** Copies code, in which a placeholder stands for the token. */
function giveCode(text: string | undefined, what: string, otherwise: string): void {
  const toDo = hasToken() ? ' Replace the placeholder with your token.' : ''
  void give(text, `Copied as ${what}.${toDo}`, otherwise)
}

const hasToken = (): boolean => session.current().token !== undefined

function giveSnippet(write: (snippet: Snippet) => string, what: string): void {
  const { query, variables: text } = currentDraft()
  const variables = objectFrom(text)
  const snippet = variables && { ...{ endpoint, query, variables }, ...forClient(query) }
  giveCode(snippet && write(snippet), what, 'The variables are not a JSON object.')
}

const forClient = (query: string) => ({ operationName: operationNameOf({ query }), hasToken: hasToken() })

function giveTypedClient(): void {
  const schema = loadedSchema()
  const { query } = currentDraft()
  giveCode(
    schema && typedClientOf({ ...{ schema, endpoint, query }, ...forClient(query) }),
    'TypeScript with the types of its answer',
    'That needs the schema and a valid query or mutation.',
  )
}

export const shareItems: readonly MenuItem[] = [
  { id: 'link', title: 'Copy a link', note: 'without token and headers', run: () => void giveLink() },
  { id: 'curl', title: 'Copy as cURL', run: () => giveSnippet(curlOf, 'a cURL command') },
  { id: 'fetch', title: 'Copy as fetch', run: () => giveSnippet(fetchOf, 'a call of fetch') },
  { id: 'typed', title: 'Copy as a typed client', note: 'TypeScript', run: giveTypedClient },
  {
    id: 'text',
    title: 'Copy the operation',
    run: () => void give(currentDraft().query, 'The operation was copied.', ''),
  },
]
