/** A text in a file, or in a pipe that was passed to this process. */
import { fileFault, readBounded } from '../../shared/runtime/bounded-file.ts'
import { SourceFailure } from './failure.ts'
import type { ReadingBounds, Source } from './source.ts'

/** Reads the text of a file. Throws a `SourceFailure`. */
export type ReadFile = (path: string, maxBytes: number) => Promise<string>

export const readTextFile: ReadFile = async (path, maxBytes) => {
  try {
    return (await readBounded(path, maxBytes)).toString('utf8')
  } catch (error) {
    throw new SourceFailure(fileFault(error))
  }
}

export function createFileSource(
  { path, name }: { readonly path: string; readonly name: string },
  { maxBytes }: Pick<ReadingBounds, 'maxBytes'>,
  readFile: ReadFile = readTextFile,
): Source {
  return { name, isPolled: false, read: () => readFile(path, maxBytes) }
}
