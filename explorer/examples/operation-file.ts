/**
 * Operations in a `.graphql` file, with a description of each in comments before it. The examples of the sandbox are
 * such a file, and so is what the page exports and imports. Pure.
 *
 *     # title: First video
 *     # variables: {"videoId":"u62wyH56M7e"}
 *     query FirstVideo($videoId: ID!) { … }
 *
 * Each `# title:` begins another operation. A file without one is a single operation.
 */
export interface FiledOperation {
  readonly title: string | undefined
  readonly folder: string | undefined
  readonly note: string | undefined
  readonly scopes: readonly string[]
  /** A JSON object as text; empty if there are no variables. */
  readonly variables: string
  /** The operation with its own comments. */
  readonly document: string
}

const head = /^# ?(title|folder|note|scopes|variables):(.*)$/
const begins = /^# ?title:/

/** Reads at most `most` operations, and ignores the others. */
export function readOperationFile(text: string, most = 1000): FiledOperation[] {
  const parts: string[][] = []
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    if (parts.length === 0 || begins.test(line)) {
      // Text before the first title belongs to the first operation.
      if (parts.length === 1 && parts[0]?.every((each) => each.trim() === '') === true) parts.pop()
      if (parts.length === most) break
      parts.push([])
    }
    parts.at(-1)?.push(line)
  }
  return parts.map(operationFrom).filter(({ document }) => document !== '')
}

function operationFrom(lines: readonly string[]): FiledOperation {
  const told = new Map<string, string>()
  let at = 0
  for (; at < lines.length; at++) {
    const [, name, value = ''] = head.exec(lines[at] ?? '') ?? []
    if (name === undefined) break
    told.set(name, value.trim())
  }
  const document = lines.slice(at).join('\n').trim()
  return {
    title: textOf(told.get('title')),
    folder: textOf(told.get('folder')),
    note: textOf(told.get('note')),
    scopes: (told.get('scopes') ?? '').split(/\s+/).filter((scope) => scope !== ''),
    variables: told.get('variables') ?? '',
    document: document === '' ? '' : `${document}\n`,
  }
}

const textOf = (value: string | undefined): string | undefined => (value === '' ? undefined : value)

/** The text with every run of white space as one space. */
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

interface OperationToFile {
  readonly title: string
  readonly folder?: string | undefined
  readonly variables?: string | undefined
  readonly document: string
}

/** Reading it returns the same operations, except for white space in variables. */
export function writeOperationFile(operations: readonly OperationToFile[]): string {
  return operations
    .map(({ title, folder, variables = '', document }) =>
      [
        `# title: ${onOneLine(title) || 'Untitled'}`,
        ...(folder === undefined || folder === '' ? [] : [`# folder: ${onOneLine(folder)}`]),
        ...(variables.trim() === '' ? [] : [`# variables: ${compactJson(variables)}`]),
        `${document.trim()}\n`,
      ].join('\n'),
    )
    .join('\n')
}

/** If the text is not JSON, only its lines are joined. */
function compactJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return onOneLine(text)
  }
}
