/** The share menu of an operation: a link, and the operation as a snippet. */
import type { GraphQLSchema } from 'graphql'
import type { OperationText } from '../editor/workspace.ts'
import { say } from '../frame/feedback.tsx'
import { copyText } from '../frame/hand-out.ts'
import type { MenuItem } from '../frame/menu.tsx'
import { objectFrom } from '../json.ts'
import { endpoint } from '../settings.ts'
import { fragmentOf } from './link.ts'
import { curlOf, fetchOf, type Snippet } from './snippets.ts'
import { typedClientOf } from './typed-client.ts'

export interface ShareOptions {
  readonly draft: OperationText
  readonly operationName: string | undefined
  readonly schema: GraphQLSchema | undefined
  /** Whether it is sent with a token. */
  readonly hasToken: boolean
  /** The view of the result. */
  readonly tab: string
}

export function shareItems(options: ShareOptions): readonly MenuItem[] {
  const { draft, operationName, schema, hasToken, tab } = options
  const { query } = draft
  const variables = objectFrom(draft.variables)
  const snippet: Snippet = { endpoint, query, operationName, variables: variables ?? {}, hasToken }
  const give = async (text: string | undefined, done: string, otherwise: string): Promise<void> => {
    if (text === undefined) say(otherwise, true)
    else if (await copyText(text)) say(done)
    else say('The browser does not allow copying.', true)
  }
  const link = async (): Promise<void> => {
    const fragment = await fragmentOf({ query, variables: draft.variables, tab })
    const address = fragment && new URL(fragment, location.href.split('#')[0]).href
    await give(
      address,
      'Link copied: the operation and its variables, no token.',
      'It is too long for a link.',
    )
  }
  const giveCode = (text: string | undefined, what: string, otherwise: string): void =>
    void give(
      text,
      `Copied as ${what}.${hasToken ? ' Replace the placeholder with your token.' : ''}`,
      otherwise,
    )
  const noVariables = 'The variables are not a JSON object.'
  return [
    { id: 'link', title: 'Copy a link', note: 'without token and headers', run: () => void link() },
    {
      id: 'curl',
      title: 'Copy as cURL',
      run: () => giveCode(variables && curlOf(snippet), 'a cURL command', noVariables),
    },
    {
      id: 'fetch',
      title: 'Copy as fetch',
      run: () => giveCode(variables && fetchOf(snippet), 'a call of fetch', noVariables),
    },
    {
      id: 'typed',
      title: 'Copy as a typed client',
      note: 'TypeScript',
      run: () =>
        giveCode(
          schema && typedClientOf({ schema, endpoint, query, operationName, hasToken }),
          'TypeScript with the types of its answer',
          'That needs the schema and a valid query or mutation.',
        ),
    },
    {
      id: 'text',
      title: 'Copy the operation',
      run: () => void give(query, 'The operation was copied.', ''),
    },
  ]
}
