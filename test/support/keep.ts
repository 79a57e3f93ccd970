/** What tests keep open until they end. */
import { afterAll, onTestFinished } from 'vitest'

/** Disposes it when the test ends, after what was kept later. */
export function keep<Open extends AsyncDisposable>(open: Open): Open {
  onTestFinished(() => open[Symbol.asyncDispose]())
  return open
}

/** Disposes it after the last test of the file. */
export function keepForFile<Open extends AsyncDisposable>(open: Open): Open {
  afterAll(() => open[Symbol.asyncDispose]())
  return open
}
