/**
 * A limit on the time that another process may take for an answer. A process that is held up itself (by long
 * computation, or on a busy machine) finds its timers expired before it reads what has arrived meanwhile: with one
 * timer, all answers of that time would be taken for late. The limit is therefore waited for in quarters, one after
 * another, so that a hold-up counts for one of them at most; and what has arrived is read once more before the end.
 */

const quarters = 4

/** Calls `expire` once after `ms` milliseconds, or later if this process was held up. Returns what stops it. */
export function startAnswerTimer(ms: number, expire: () => void): () => void {
  let left = quarters
  let last: NodeJS.Immediate | undefined
  const wait = (): void => {
    left -= 1
    if (left > 0) timer = setTimeout(wait, ms / quarters)
    // Immediates run after the sockets were read.
    else last = setImmediate(expire)
  }
  let timer = setTimeout(wait, ms / quarters)
  return () => {
    clearTimeout(timer)
    clearImmediate(last)
  }
}
