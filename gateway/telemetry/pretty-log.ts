/**
 * The log for people at a terminal: one line for each event, with the time, the level in words, the message, and the
 * other fields. Machines get JSON: a pipe, a file and a container's log are no terminal.
 */
import type { DestinationStream } from 'pino'
import { isObject } from '../../shared/json/is-object.ts'
import { parsedJson } from '../../shared/json/parse-json.ts'

const levels: Readonly<Record<number, readonly [name: string, colour: number]>> = {
  10: ['trace', 90],
  20: ['debug', 90],
  30: ['info', 36],
  40: ['warn', 33],
  50: ['error', 31],
  60: ['fatal', 31],
}

/** Takes the JSON lines of `createLogger`, one per call. */
export function createPrettyLog(write: (text: string) => void, colour: boolean): DestinationStream {
  const paint = (text: string, code: number): string => (colour ? `\x1b[${code}m${text}\x1b[0m` : text)
  return {
    write(line) {
      const event = parsedJson(line)
      if (!isObject(event)) {
        write(line)
        return
      }
      const { level, time, msg, err, ...others } = event
      const [name, code] = levels[Number(level)] ?? ['log', 0]
      const at = new Date(Number(time)).toTimeString().slice(0, 8)
      const fields = Object.entries(others).map(
        ([key, value]) => ` ${paint(`${printable(key)}=`, 90)}${shown(value)}`,
      )
      write(
        `${paint(at, 90)} ${paint(name.padEnd(5), code)} ${printable(String(msg ?? ''))}${fields.join('')}\n`,
      )
      for (const text of errorLines(err)) write(`${paint(text, 90)}\n`)
    },
  }
}

/** Control characters of either range, and direction marks, would let a client write to the terminal. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`)

/** A word as it is, anything else as JSON. */
const shown = (value: unknown): string =>
  printable(typeof value === 'string' && /^[^\s"'=]+$/.test(value) ? value : JSON.stringify(value))

/** An error's message, its stack and those of its causes, indented. */
function errorLines(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return []
  const { name, message, code, stack, cause } = error as Readonly<Record<string, unknown>>
  const head = `${String(name)}: ${String(message)}${code === undefined ? '' : ` (${String(code)})`}`
  const frames = typeof stack === 'string' ? stack.split('\n').filter((text) => /^\s+at /.test(text)) : []
  return [head, ...frames.map((text) => text.trim())]
    .map((text, index) => `  ${index === 0 ? '' : '  '}${printable(text)}`)
    .concat(errorLines(cause))
}
