/** Files that the user names, read and written with one sentence for what can go wrong. */
import { writeFileSync } from 'node:fs'
import { parseSdl } from '../../shared/graphql/parse-sdl.ts'
import { fileFault, readBoundedSync } from '../../shared/runtime/bounded-file.ts'
import { CommandError } from './command.ts'
import { syntaxFault } from './syntax-fault.ts'

/** Schemas and documents: as much as the address of a supergraph may answer. */
export const mostBytes: number = 64 * 1024 * 1024

/** Throws what ends the command if the file cannot be read. */
export function readText(path: string): string {
  try {
    return readBoundedSync(path, mostBytes).toString('utf8')
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${fileFault(error)}`)
  }
}

/** The text of a GraphQL file. Throws what ends the command, with line and column, if it is no GraphQL. */
export function readGraphql(path: string): string {
  const text = readText(path)
  try {
    parseSdl(text, { noLocation: true })
  } catch (error) {
    throw new CommandError(syntaxFault(path, error))
  }
  return text
}

/** Throws what ends the command if the file cannot be written. */
export function writeText(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${fileFault(error)}`)
  }
}
