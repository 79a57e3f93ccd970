/**
 * The services of a soak, in a process of their own, with the control plane that faults come by. It tells its
 * parent over the process channel: `{ url }` once it listens, and what was written since whenever it is asked.
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
