/**
 * Loaded into a gateway before anything else (`--import`): its wall clock is ahead by the milliseconds that stand in a
 * file, which may change at any moment. The monotonic clock, and with it every timer, stays as it is, as when somebody
 * sets a machine's clock.
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
