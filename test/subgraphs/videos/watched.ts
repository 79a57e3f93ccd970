/**
 * The subgraph of videos over a sandbox, for tests of its subscriptions: new for each test of a file that says
 * `prepareEachTest()`, with a clock and a day's units that the test sets.
 */
import { afterEach, beforeEach } from 'vitest'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox/index.ts'
import { sampleVideos } from '../../../sandbox/videos/index.ts'
import type { QuotaState } from '../../../shared/quota.ts'
import type { Subgraph } from '../../../shared/subgraph.ts'
import type { VideosOptions } from '../../../subgraphs/videos/index.ts'
import { eventually, type HeldClock, heldClock, subscribeTo } from '../../support/live.ts'
import { unlimited, videosAt } from './kit.ts'

export const [first, second] = sampleVideos.own as unknown as readonly [string, string]

export let sandbox: Sandbox
export let clock: HeldClock
export let subgraph: Subgraph
let quota: QuotaState

export function setQuota(state: QuotaState): void {
  quota = state
}

interface Setting {
  readonly sandbox?: SandboxOptions
  readonly tuning?: VideosOptions['tuning']
}

async function begin(setting: Setting): Promise<void> {
  sandbox = await startSandbox(setting.sandbox)
  subgraph = videosAt(sandbox.url, { readQuota: async () => quota, tuning: setting.tuning, live: { clock } })
}

async function end(): Promise<void> {
  await subgraph.close()
  await sandbox.close()
}

export function prepareEachTest(): void {
  beforeEach(async () => {
    clock = heldClock()
    quota = unlimited
    await begin({})
  })
  afterEach(end)
}

/** Both again, with the same clock. */
export async function restart(setting: Setting): Promise<void> {
  await end()
  await begin(setting)
}

/** How often the service was called. */
export const calls = (operation = 'videos.list'): number => sandbox.calls(operation).length

/** Lets a poll become due, and waits until it was answered. */
export async function polled(milliseconds: number, operation = 'videos.list', more = 1): Promise<void> {
  const before = calls(operation)
  clock.pass(milliseconds)
  await eventually(() => calls(operation) >= before + more, `a poll after ${milliseconds} ms`)
  await eventually(() => clock.waiting > 0, 'the next poll is planned')
}

export const watch = (ids: readonly string[], selection = 'videoId statistics { viewCount }') =>
  subscribeTo(subgraph, `subscription ($ids: [ID!]!) { videoChanged(videoIds: $ids) { ${selection} } }`, {
    ids,
  })
