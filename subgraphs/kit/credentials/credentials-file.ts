/** Reads JSON files with credentials: a key and a few names. */
import { fileFault, readBoundedSync } from '../../../shared/runtime/bounded-file.ts'
import { parseJson } from '../rest-client/json.ts'

const mostBytes = 256 * 1024

/** A credentials file cannot be used. The message names the file and the fault, and quotes nothing of its content. */
export class CredentialsFileError extends Error {
  override readonly name = 'CredentialsFileError'
}

export type WrongFile = (fault: string) => CredentialsFileError

export const wrongFile =
  (file: string, service: string): WrongFile =>
  (fault) =>
    new CredentialsFileError(`the credentials file of ${service} (${file}) ${fault}`)

/** The content of the file, unchecked. Throws what `wrong` makes. */
export function readCredentialsFile(file: string, wrong: WrongFile): unknown {
  let text: string
  try {
    text = readBoundedSync(file, mostBytes).toString('utf8')
  } catch (error) {
    throw wrong(`cannot be read: ${fileFault(error)}`)
  }
  try {
    return parseJson(text)
  } catch {
    throw wrong('is not JSON')
  }
}
