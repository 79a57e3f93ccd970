/**
 * Preloaded into a gateway (`--import`). Its wall clock is ahead by the milliseconds in a file, which may change at
 * any time. The monotonic clock, and every timer with it, is unchanged, as when somebody sets a machine's clock.
 */
import { readFileSync, watchFile } from 'node:fs'

const file = process.env.HISTORIES_CLOCK_FILE
const RealDate = Date
let ahead = 0

const read = () => {
  try {
    ahead = Number(readFileSync(file, 'utf8')) || 0
  } catch {
    // Without the file the clock is right.
  }
}

if (file !== undefined) {
  class Ahead extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(RealDate.now() + ahead)
      else super(...args)
    }
    static now() {
      return RealDate.now() + ahead
    }
  }
  globalThis.Date = Ahead
  read()
  watchFile(file, { interval: 50, persistent: false }, read)
}
