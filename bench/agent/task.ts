/** A task of a scripted agent, and how the agent solves it: only with what tools return. */
import type { ScriptedAgent } from './client.ts'
import type { World } from './world.ts'

export interface Task {
  /** The task in a user's words. */
  readonly asks: string
  readonly golden: unknown
  /** Scopes of the token. The default is all of them; null means anonymous. */
  readonly scope?: string | null
  /** Whether its gateway has the small budget. */
  readonly isStrict?: boolean
  /** The bound of a response, if it is smaller than the usual one. */
  readonly maxTokens?: number
  /** The name of the one write that it makes at the service. */
  readonly writes?: string
  /** `world` is for faults. The agent does not see it. */
  solve(agent: ScriptedAgent, world: World): Promise<unknown>
}
