/** The videos subgraph in front of a scripted service. */
import { createVideosSubgraph, type VideosOptions } from '../../../subgraphs/videos/index.ts'
import type { Arrived, Scripted } from '../../support/scripted-service.ts'
import { type ScriptedSubgraph, subgraphOver } from '../../support/scripted-subgraph.ts'

export function videosOver(
  answer: Scripted | ((arrived: Arrived) => Scripted | Promise<Scripted>),
  options: Partial<VideosOptions> = {},
): Promise<ScriptedSubgraph> {
  return subgraphOver(answer, (baseUrl) =>
    createVideosSubgraph({
      baseUrl,
      credential: { kind: 'none' },
      uploads: { secret: 'x'.repeat(32), publicUrl: () => 'http://127.0.0.1:1' },
      ...options,
    }),
  )
}
