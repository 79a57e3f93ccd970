/** A text in a file, or in a pipe that was passed to this process. */
import { fileFault, readBounded } from '../../shared/runtime/bounded-file.ts'
import { SourceFailure } from './failure.ts'
import type { ReadingBounds, Source } from './source.ts'

export function createFileSource(
  { path, name }: { readonly path: string; readonly name: string },
  { maxBytes }: Pick<ReadingBounds, 'maxBytes'>,
): Source {
  const read = async (): Promise<string> => {
    try {
      return (await readBounded(path, maxBytes)).toString('utf8')
    } catch (error) {
      throw new SourceFailure(fileFault(error))
    }
  }
  return { name, isPolled: false, read }
}
