/** The value of this JSON; undefined if there is none, or it is no JSON. */
export function parsedJson(text: Buffer | string): unknown {
  try {
    return text.length === 0 ? undefined : JSON.parse(text.toString())
  } catch {
    return undefined
  }
}
