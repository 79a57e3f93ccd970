/** What a scripted agent is asked, and how it finds the answer: by what tools return and by nothing else. */
import type { ScriptedAgent } from './client.ts'
import type { World } from './world.ts'

export interface Task {
  /** As a user would ask it. */
  readonly asks: string
  readonly golden: unknown
  /** Scopes of the token; all of them by default, none is anonymous. */
  readonly scope?: string | null
  /** Whether its gateway has the small budget. */
  readonly isStrict?: boolean
  /** The most that an answer may take, if the agent says less than the usual. */
  readonly maxTokens?: number
  /** The one write that it makes, by its name at the service. */
  readonly writes?: string
  /** `world` is for faults: an agent does not see it. */
  solve(agent: ScriptedAgent, world: World): Promise<unknown>
}
