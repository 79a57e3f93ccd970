/** The end of standard output: its reader has gone, as after `| head`. It loads nothing, because every command has it. */

/** Whether a write failed because nobody reads any more: a pipe says the one, a socket at first the other. */
export const isReaderGone = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'EPIPE' || code === 'ECONNRESET'

const told: (() => void)[] = []

/** Calls it when nobody reads standard output any more, maybe several times. */
export function whenReaderGone(call: () => void): void {
  told.push(call)
}

export function tellReaderGone(): void {
  for (const call of told) call()
}
