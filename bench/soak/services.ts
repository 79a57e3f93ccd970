/**
 * The services of a soak, in their own process, with the control routes for faults. It sends its parent `{ url }`
 * over the process channel once it listens, and the writes since the last time whenever it is asked.
 */
import { startSandbox, type WriteRecord } from '../../sandbox/index.ts'

export interface Written {
  readonly writes: readonly WriteRecord[]
}

const sandbox = await startSandbox({ synthetic: true, journal: false, control: true })

process.on('message', () => {
  const written: Written = { writes: sandbox.writes.splice(0) }
  process.send?.(written)
})
process.on('disconnect', () => process.exit(0))
process.send?.({ url: sandbox.url })
