/** Reads and writes files that the user names, with one sentence for each possible failure. */
import { writeFileSync } from 'node:fs'
import { parseSdl } from '../../shared/graphql/parse-sdl.ts'
import { fileFault, readBoundedSync } from '../../shared/runtime/bounded-file.ts'
import { type Arguments, CommandError, type Io } from './command.ts'
import { syntaxFault } from './syntax-fault.ts'

/** The most bytes of a schema or document, which is also the bound for the address of a supergraph. */
export const mostBytes: number = 64 * 1024 * 1024

/** Throws a CommandError if the file cannot be read. */
export function readText(path: string): string {
  try {
    return readBoundedSync(path, mostBytes).toString('utf8')
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${fileFault(error)}`)
  }
}

/** The text of a GraphQL file. Throws a CommandError with line and column if it is not valid GraphQL. */
export function readGraphql(path: string): string {
  const text = readText(path)
  try {
    parseSdl(text, { noLocation: true })
  } catch (error) {
    throw new CommandError(syntaxFault(path, error))
  }
  return text
}

/** Writes a text to the file of `--out`, or to the terminal. Throws a CommandError if the file cannot be written. */
export function writeOut(text: string, args: Arguments, io: Io): void {
  const out = args.string('out')
  if (out === undefined) io.out(text)
  else writeText(out, text)
}

/** Throws a CommandError if the file cannot be written. */
export function writeText(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${fileFault(error)}`)
  }
}
