/** Parses JSON. Undefined if the text is empty or invalid. */
export function parsedJson(
  text: string | { readonly length: number; toString(): string },
  parse: (text: string) => unknown = JSON.parse,
): unknown {
  try {
    return text.length === 0 ? undefined : parse(text.toString())
  } catch {
    return undefined
  }
}
