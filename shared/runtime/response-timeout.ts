/**
 * A timeout for the response of another process. After a long computation or on a busy machine, this process finds
 * its timers expired before it reads what has arrived. All responses would then count as late. The timeout
 * therefore consists of four timers in sequence, so that a hold-up counts for at most one of them, and arrived data
 * is read once more before the end.
 */

const quarters = 4

/** Calls `expire` once after `ms`, or later if this process was held up. Returns what stops it. */
export function startResponseTimeout(ms: number, expire: () => void): () => void {
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
