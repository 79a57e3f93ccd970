/** The videos subgraph in front of any service, and in front of a scripted one. */
import type { QuotaState } from '../../../shared/quota.ts'
import type { Subgraph } from '../../../shared/subgraph.ts'
import { createVideosSubgraph, type VideosOptions } from '../../../subgraphs/videos/index.ts'
import type { Arrived, Scripted } from '../../support/scripted-service.ts'
import { type ScriptedSubgraph, subgraphOver } from '../../support/scripted-subgraph.ts'

export const unlimited: QuotaState = {
  limit: null,
  used: 0,
  remaining: null,
  resetsAt: new Date(Date.UTC(2026, 10, 23, 8)).toISOString(),
  operations: [],
}

export function videosAt(baseUrl: string, options: Partial<VideosOptions> = {}): Subgraph {
  return createVideosSubgraph({
    baseUrl,
    credential: { kind: 'none' },
    namespace: 'media',
    prices: {},
    readQuota: async () => unlimited,
    uploads: { secret: 'x'.repeat(32), publicUrl: () => 'http://127.0.0.1:1' },
    ...options,
  })
}

export function videosOver(
  answer: Scripted | ((arrived: Arrived) => Scripted | Promise<Scripted>),
  options: Partial<VideosOptions> = {},
): Promise<ScriptedSubgraph> {
  return subgraphOver(answer, (baseUrl) => videosAt(baseUrl, options))
}
