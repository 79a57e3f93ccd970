/** The measured gateway, in its own process, which can report its memory. */
import { readConfig, startGateway } from '../../gateway/index.ts'

/** In bytes, except the time. */
export interface Holding {
  readonly heap: number
  readonly external: number
  readonly rss: number
  /** User and system time so far, in microseconds. */
  readonly cpu: number
  readonly subscriptions: number
}

// Variables of the benchmark are not passed to the gateway.
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('TESSERA_BENCH_')),
)
const { config, faults } = readConfig(env)
if (config === undefined) throw new Error(faults.join('\n'))
const gateway = await startGateway({ config })
const { gc } = globalThis as { gc?: () => void }

process.on('message', async ({ collect }: { readonly collect: boolean }) => {
  if (collect) {
    gc?.()
    gc?.()
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const line = /^tessera_subscriptions (\d+)$/m.exec(await gateway.metrics.text())
  const holding: Holding = {
    heap: heapUsed,
    external,
    rss,
    cpu: user + system,
    subscriptions: Number(line?.[1] ?? 0),
  }
  process.send?.(holding)
})
process.on('disconnect', () => process.exit(0))
process.send?.({ url: `${gateway.url}/graphql` })
