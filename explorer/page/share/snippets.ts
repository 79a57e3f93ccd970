/** An operation as a snippet: a shell command, or a call of `fetch`. Pure. It never contains the token. */
export interface Snippet {
  readonly endpoint: string
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
  /** Whether a token is needed. The snippet then has a placeholder for it. */
  readonly hasToken: boolean
}

const bodyOf = ({ query, operationName, variables }: Snippet): object => ({
  query,
  ...(operationName === undefined ? {} : { operationName }),
  ...(Object.keys(variables).length === 0 ? {} : { variables }),
})

/** The text in quotes for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function curlOf(snippet: Snippet): string {
  return [
    `curl ${quoted(snippet.endpoint)}`,
    `--header 'content-type: application/json'`,
    ...(snippet.hasToken ? ['--header "authorization: Bearer $TOKEN"'] : []),
    `--data ${quoted(JSON.stringify(bodyOf(snippet)))}`,
  ].join(' \\\n  ')
}

/** The text as a template literal, in which nothing is evaluated. */
export const literal = (text: string): string =>
  `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``

export function fetchOf(snippet: Snippet): string {
  const { endpoint, query, operationName, variables, hasToken } = snippet
  const indented = JSON.stringify(variables, null, 2).replaceAll('\n', '\n    ')
  return `const response = await fetch(${JSON.stringify(endpoint)}, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',${hasToken ? "\n    authorization: 'Bearer ' + token," : ''}
  },
  body: JSON.stringify({
    query: ${literal(query.trimEnd())},${operationName === undefined ? '' : `\n    operationName: ${JSON.stringify(operationName)},`}
    variables: ${indented},
  }),
})
const { data, errors } = await response.json()
`
}
