/**
 * `JSON.parse` with a reviver, for texts of any depth. V8 calls revivers recursively, and some thousand levels exceed the
 * stack.
 */

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

/**
 * So many levels fit the stack of a function that calls itself. `isTooDeep` allows fewer, so that it refuses a value that
 * was cut here, even one that begins some hundred levels down.
 */
export const mostLevels = 1500

/**
 * If the text has too many levels, lists and objects below those that readers accept lose their members. Throws a
 * SyntaxError if the text is not JSON.
 */
export function parseRevived(text: string, reviver: Reviver): unknown {
  try {
    return JSON.parse(text, reviver)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return JSON.parse(emptiedBelow(mostLevels, text), reviver)
  }
}

/** The text, whose lists and objects are empty from this level on. It must be JSON. */
function emptiedBelow(levels: number, text: string): string {
  let depth = 0
  let inString = false
  let kept = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text[at]
    if (inString) {
      if (unit === '\\') at += 1
      else if (unit === '"') inString = false
    } else if (unit === '"') inString = true
    else if (unit === '[' || unit === '{') {
      depth += 1
      if (depth === levels) kept += text.slice(from, at + 1)
    } else if (unit === ']' || unit === '}') {
      if (depth === levels) from = at
      depth -= 1
    }
  }
  return kept + text.slice(from)
}
