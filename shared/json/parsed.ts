/** Parses JSON. Undefined if the text is empty or invalid. */
export function parsedJson(text: Buffer | string): unknown {
  try {
    return text.length === 0 ? undefined : JSON.parse(text.toString())
  } catch {
    return undefined
  }
}
