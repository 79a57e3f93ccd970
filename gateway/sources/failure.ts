/** Why a source has no text. The message contains only what a reader of the gateway's health may see. */
import type { Loss } from '../../shared/http/client.ts'

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

export function noAnswer(what: string, loss: Loss): SourceFailure {
  const result = loss === 'too-large' || loss === 'garbled' ? 'refused' : 'failed'
  return new SourceFailure(`${what} did not respond (${loss})`, result)
}
