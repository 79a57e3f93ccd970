/** Formats what is written; Prettier, which keeps comments, is loaded at the first use. */

/** Rejects if it is no GraphQL. */
export async function formatGraphql(text: string): Promise<string> {
  const [{ format }, graphql] = await Promise.all([
    import('prettier/standalone'),
    import('prettier/plugins/graphql'),
  ])
  return format(text, { parser: 'graphql', plugins: [graphql] })
}

/** As it was if it is no JSON. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** An object of a JSON text; nothing written is an empty object, anything else is undefined. */
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
