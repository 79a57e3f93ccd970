/** The state of a session between turns: its active contexts, and the intent whose parameters are being collected. */
import { lowerContext } from '../project.ts'
import type { Json } from '../proto.ts'
import type { Captured } from './phrases.ts'

interface ActiveContext {
  readonly id: string
  lifespan: number
  /** Whether the current turn set it. Its lifespan is then not lowered at the end of the turn. */
  fresh: boolean
  readonly parameters: Json
  readonly expiresAt: number
}
export interface Session {
  readonly contexts: Map<string, ActiveContext>
  pending: { readonly intent: string; readonly captured: ReadonlyMap<string, Captured> } | undefined
}

/** The id of a context, which is the last segment of its name in lower case. */
export function contextId(name: string): string {
  const lower = lowerContext(name)
  return lower.slice(lower.lastIndexOf('/') + 1)
}

export function printContext({ id, lifespan, parameters }: ActiveContext, session: string): Json {
  return {
    name: `${session}/contexts/${id}`,
    lifespanCount: lifespan === 0 ? undefined : lifespan,
    parameters: Object.keys(parameters).length === 0 ? undefined : parameters,
  }
}

const contextLifeMs = 20 * 60_000

/** Activates a context, or renews it. `now` is in milliseconds. */
export function activate(
  session: Session,
  now: number,
  id: string,
  lifespan: number,
  parameters: Json,
): void {
  session.contexts.set(id, { id, lifespan, parameters, fresh: true, expiresAt: now + contextLifeMs })
}
