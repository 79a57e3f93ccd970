/** The commands of a shell block: its lines without comments, continued ones joined, each with its settings before it. */
import type { Block } from './blocks.ts'

export interface ShellCommand {
  /** `docs/scaling.md:14: docker build …`. */
  readonly place: string
  readonly page: string
  /** As it stands on the page. */
  readonly text: string
  /** `NAME=value` before the command. */
  readonly settings: Readonly<Record<string, string>>
  /** The words, without quotes: `['curl', 'http://…']`. */
  readonly words: readonly string[]
}

/** A block with functions of its own is run as one. */
export const isScript = ({ text }: Block): boolean => /^\w+\(\) \{/m.test(text)

export function commandsOf(block: Block): ShellCommand[] {
  const lines = block.text.replace(/\\\n\s*/g, '').split('\n')
  return lines
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .flatMap((line) => splitAtAnd(line))
    .filter((text) => text !== '')
    .map((text) => {
      const words = wordsOf(text.replace(/^\(|\)$/g, ''))
      const at = words.findIndex((word) => !/^[A-Z][A-Z0-9_]*=/.test(word))
      const own = words.slice(0, at === -1 ? undefined : at)
      return {
        place: `${block.place}: ${text}`,
        page: block.page,
        text,
        settings: Object.fromEntries(
          own.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
        ),
        words: at === -1 ? [] : words.slice(at),
      }
    })
}

/** At each `&&` that stands in no quotes. */
function splitAtAnd(line: string): string[] {
  const parts = ['']
  for (const piece of line.match(/'[^']*'|"(?:\$\([^)]*\)|[^"\\]|\\.)*"|&&|[\s\S]/g) ?? []) {
    if (piece === '&&') parts.push('')
    else parts.push(`${parts.pop()}${piece}`)
  }
  return parts.map((part) => part.trim().replace(/ &$/, ''))
}

/** Split as a shell does it, without expanding anything. */
function wordsOf(text: string): string[] {
  const found = text.match(/(?:'[^']*'|"(?:\$\([^)]*\)|[^"\\]|\\.)*"|\\.|[^\s'"\\])+/g) ?? []
  return found.map((word) =>
    word.replace(
      /'([^']*)'|"((?:\$\([^)]*\)|[^"\\]|\\.)*)"/g,
      (_all, plain?: string, quoted?: string) => plain ?? (quoted ?? '').replace(/\\(["\\$])/g, '$1'),
    ),
  )
}
