/** Formats GraphQL and JSON. Prettier, which keeps comments, is loaded when it is first used. */

/** Rejects if the text is not valid GraphQL. */
export async function formatGraphql(text: string): Promise<string> {
  const [{ format }, graphql] = await Promise.all([
    import('prettier/standalone'),
    import('prettier/plugins/graphql'),
  ])
  return format(text, { parser: 'graphql', plugins: [graphql] })
}

/** Returns the text unchanged if it is no JSON. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Parses a JSON object. An empty text is an empty object. Anything else that is no object is undefined. */
export function objectFrom(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
