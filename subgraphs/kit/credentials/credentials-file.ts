/** Reads files with credentials: a key and a few names. */
import { readBoundedSync } from '../../../shared/runtime/bounded-file.ts'

const mostBytes = 256 * 1024

/** Throws `UnreadableFile`, whose message gives the reason and quotes nothing of the content. */
export function readCredentialsFile(path: string): string {
  return readBoundedSync(path, mostBytes).toString('utf8')
}

/** A credentials file cannot be used. The message names the file and the fault, and quotes nothing of its content. */
export class CredentialsFileError extends Error {
  override readonly name = 'CredentialsFileError'
}
