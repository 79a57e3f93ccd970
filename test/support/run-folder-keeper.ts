/**
 * Waits beside a test run until that has ended, however it did, as its end of the pipe closes then. What is left of the
 * run is ended and removed. A run that ends in order has left nothing, and ends this process itself.
 */
import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { endProcess, processesOf } from './run-folder-processes.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('expected the folder of a run')
process.stdin.resume()
await new Promise((resolve) => process.stdin.once('close', resolve))
// One that is ended may have started another meanwhile. What cannot be ended for a minute is left.
for (let looks = 0; looks < 1200; looks++) {
  const found = processesOf(folder)
  if (found.size === 0) break
  for (const id of found.keys()) endProcess(id)
  await delay(50)
}
rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
