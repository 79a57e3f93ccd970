/** Reads the arguments of commands, with messages for the user if they are wrong. */
import { messageOf } from '../shared/runtime/thrown.ts'

export function positive(name: string, text: string): number {
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number) && number > 0) return number
  throw new Error(`${name} takes a number above 0, not "${text}"`)
}

export function whole(name: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  throw new Error(`${name} takes a whole number from 1 up, not "${text}"`)
}

/** Reads the command's arguments with `read`. If it throws, prints what is wrong and the usage, and exits. */
export function readArguments<Options>(
  command: string,
  usage: string,
  read: (args: readonly string[]) => Options,
): Options {
  try {
    return read(process.argv.slice(2))
  } catch (error) {
    console.error(`${command}: ${messageOf(error)}\n\n${usage}`)
    process.exit(2)
  }
}
