/**
 * Waits beside a test run until that has ended, however it did, as its end of the pipe closes then. What is left of the
 * run is ended and removed. A run that ends in order has left nothing, and ends this process itself.
 */
import { rmSync } from 'node:fs'
import { endProcessesOf } from './run-folder-processes.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('expected the folder of a run')
process.stdin.resume()
await new Promise((resolve) => process.stdin.once('close', resolve))
await endProcessesOf(folder)
rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
