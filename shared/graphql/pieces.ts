/** Cuts a long document into texts of whole definitions, which can be parsed one by one. */

/** About so many characters each, which take some milliseconds to parse. */
const pieceCharacters = 32_768

/** More than white space, commas and comments. */
const hasMeaning = (text: string): boolean => /[^\t\n\r ,\uFEFF]/.test(text.replace(/#[^\n\r]*/g, ''))

/**
 * Parsing the pieces gives the same definitions as parsing the whole, or the same fault: a brace that closes the last
 * open bracket ends a definition, whatever else is in the document.
 */
export function* definitionsIn(text: string, most = pieceCharacters): Generator<string, void, undefined> {
  /** Brackets, and what may hide them. */
  const special = /["#{}()[\]]/g
  let start = 0
  let depth = 0
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    const [character] = found
    if (character === '"' || character === '#') special.lastIndex = endOf(text, found.index)
    else if (character === '{' || character === '(' || character === '[') depth += 1
    else {
      depth -= 1
      const end = found.index + 1
      if (depth !== 0 || character !== '}' || end - start < most) continue
      yield text.slice(start, end)
      start = end
    }
  }
  const rest = text.slice(start)
  if (start === 0 || hasMeaning(rest)) yield rest
}

/** The end of the string or comment that begins there. */
function endOf(text: string, start: number): number {
  if (text.startsWith('"""', start)) return endOfBlock(text, start + 3)
  const isString = text[start] === '"'
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at]
    if (character === '\n' || character === '\r') return at
    if (isString && character === '"') return at + 1
    if (isString && character === '\\') at += 1
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
