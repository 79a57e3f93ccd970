/** Fails if five things are right, each a condition within the one before. */
export function readCommand(text: string): string {
  if (text[0] === '<') {
    if (text[1] === '*') {
      if (text.startsWith('tessera', 2)) {
        if (text.charCodeAt(9) > 0xf0) {
          if (text.charCodeAt(10) % 16 === 5) throw new TypeError('the planted fault')
        }
      }
    }
  }
  return text
}
