/** A supergraph in a file, or in a pipe that this process was given, bounded as one at an address is. */
import { fileFault, readBounded } from '../../contract/bounded-file.ts'
import { largestSupergraph } from './supergraph-address.ts'

/** Throws an Error that says why it cannot be read. */
export async function readSupergraphFile(path: string): Promise<string> {
  try {
    return (await readBounded(path, largestSupergraph)).toString('utf8')
  } catch (error) {
    throw new Error(`the supergraph cannot be read: ${path}: ${fileFault(error)}`)
  }
}
