/**
 * A source of a text: one place that is read repeatedly, cheaply if nothing has changed, and why it has no text. The
 * simplest one is a file, or a pipe that was passed to this process.
 */
import type { LossReason } from '../../shared/http/client.ts'
import { fileFault, readBounded } from '../../shared/runtime/bounded-file.ts'

export interface Source {
  /** For log, health and metrics; nothing secret. */
  readonly name: string
  /** Whether it is polled; a file is watched instead. */
  readonly isPolled: boolean
  /** The current text. Throws a `SourceFailure`. */
  read(): Promise<string>
}

/** The maximum size of a response or file, in bytes. */
export const largestText: number = 64 * 1024 * 1024

export interface ReadingBounds {
  readonly maxBytes: number
  /** The timeout of one HTTP exchange. */
  readonly timeoutMs: number
  /** Aborts what is under way. */
  readonly signal: AbortSignal
}

/** The message contains only what a reader of the gateway's health may see. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure'
  /** `failed`: it could not be read; `refused`: its content is invalid. */
  readonly result: 'failed' | 'refused'

  constructor(message: string, result: 'failed' | 'refused' = 'failed') {
    super(message)
    this.result = result
  }
}

export const refused = (message: string): SourceFailure => new SourceFailure(message, 'refused')

export function noResponse(what: string, loss: LossReason): SourceFailure {
  const result = loss === 'too-large' || loss === 'garbled' ? 'refused' : 'failed'
  return new SourceFailure(`${what} did not respond (${loss})`, result)
}

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
