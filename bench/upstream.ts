/**
 * The services that all candidates call, in their own process. It counts requests, and sends its parent `{ url }`
 * over the process channel once it listens, and the counts whenever it receives `count`.
 */
import { subscribe } from 'node:diagnostics_channel'
import { startSandbox } from '../sandbox/index.ts'
import { projects } from './operations.ts'

export interface UpstreamCounts {
  readonly calls: number
  readonly units: number
}

const sandbox = await startSandbox({ synthetic: true, journal: false })
for (const project of projects) {
  const { ok, status } = await fetch(new URL(`/v2beta1/projects/${project}/agent`, sandbox.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      parent: `projects/${project}`,
      displayName: `Agent of ${project}`,
      defaultLanguageCode: 'en',
      timeZone: 'Europe/Berlin',
    }),
  })
  if (!ok) throw new Error(`the agent of ${project} was not made: ${status}`)
}
let calls = 0
subscribe('http.server.request.start', () => {
  calls += 1
})

process.on('message', () => {
  const counts: UpstreamCounts = { calls, units: sandbox.ledger.units }
  // The record of writes is not needed here, and would grow with every request.
  sandbox.writes.length = 0
  process.send?.(counts)
})
process.on('disconnect', () => process.exit(0))
process.send?.({ url: sandbox.url })
