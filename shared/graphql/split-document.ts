/** Cuts a long document into texts of whole definitions, which can be parsed one by one. */

/** About so many characters each, which take some milliseconds to parse. */
const textCharacters = 32_768

/** More than white space, commas and comments. */
const hasMeaning = (text: string): boolean => /[^\t\n\r ,\uFEFF]/.test(text.replace(/#[^\n\r]*/g, ''))

/**
 * Parsing the texts gives the same definitions as parsing the whole, or the same fault: a brace that closes the last
 * open bracket ends a definition, whatever else is in the document.
 */
export function* definitionsIn(text: string, most = textCharacters): Generator<string, void, undefined> {
  /** Brackets, and what may hide them. */
  const special = /["#{}()[\]]/g
  let start = 0
  let depth = 0
  while (special.test(text)) {
    const end = special.lastIndex
    switch (text[end - 1]) {
      case '"':
      case '#':
        special.lastIndex = endOf(text, end - 1)
        break
      case '{':
      case '(':
      case '[':
        depth += 1
        break
      default:
        depth -= 1
        if (depth !== 0 || text[end - 1] !== '}' || end - start < most) break
        yield text.slice(start, end)
        start = end
    }
  }
  const rest = text.slice(start)
  if (start === 0 || hasMeaning(rest)) yield rest
}

const endsOfString = /["\\\n\r]/g
const endsOfComment = /[\n\r]/g

/** The end of the string or comment that begins there. A string ends with its line, too, and is then refused. */
function endOf(text: string, start: number): number {
  if (text.startsWith('"""', start)) return endOfBlock(text, start + 3)
  const ends = text[start] === '"' ? endsOfString : endsOfComment
  ends.lastIndex = start + 1
  while (ends.test(text)) {
    const end = ends.lastIndex
    const character = text[end - 1]
    if (character === '"') return end
    if (character !== '\\') return end - 1
    // It escapes the next one.
    ends.lastIndex = end + 1
  }
  return text.length
}

function endOfBlock(text: string, start: number): number {
  for (let at = start; ; ) {
    const end = text.indexOf('"""', at)
    if (end === -1) return text.length
    if (text[end - 1] !== '\\') return end + 3
    at = end + 3
  }
}
