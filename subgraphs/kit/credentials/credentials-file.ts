/** Files with credentials, which hold a key and a few names. */
import { readBoundedSync } from '../../../shared/runtime/bounded-file.ts'

const mostBytes = 256 * 1024

/** Throws `UnreadableFile`, whose message says why and nothing of the content. */
export function readCredentialsFile(path: string): string {
  return readBoundedSync(path, mostBytes).toString('utf8')
}

/** A credentials file cannot be used. The message names the file and what is wrong with it, and nothing of its content. */
export class CredentialsFileError extends Error {
  override readonly name = 'CredentialsFileError'
}
