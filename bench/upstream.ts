/**
 * The services that everybody calls, in a process of their own. It counts what arrives, and tells its parent
 * over the process channel: `{ url }` once it listens, and the counts whenever it is sent `count`.
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
  // What was written is of no interest here, and grows with every request.
  sandbox.writes.length = 0
  process.send?.(counts)
})
process.on('disconnect', () => process.exit(0))
process.send?.({ url: sandbox.url })
