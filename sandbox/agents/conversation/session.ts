/** The state of a session between turns, the values of an intent's parameters, and the prompts for missing ones. */
import { lowerContext, type StoredIntent } from '../project.ts'
import { type Json, messagesIn, stringsIn } from '../proto.ts'
import type { Captured } from './phrases.ts'
import type { Input } from './request.ts'

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

/** `now` is in milliseconds. */
export function activate(
  session: Session,
  now: number,
  id: string,
  lifespan: number,
  parameters: Json,
): void {
  session.contexts.set(id, { id, lifespan, parameters, fresh: true, expiresAt: now + contextLifeMs })
}

/** The alias of the annotation from which a parameter takes its value. */
export function aliasOf(parameter: Json): string {
  const reference = /^\$([A-Za-z0-9_-]+)$/.exec(String(parameter.value ?? ''))
  return reference?.[1] ?? String(parameter.displayName)
}

export function missingParameter(
  intent: StoredIntent,
  captured: ReadonlyMap<string, Captured>,
): Json | undefined {
  return messagesIn(intent.common.parameters).find(
    (parameter) =>
      parameter.mandatory === true &&
      !captured.has(aliasOf(parameter)) &&
      (parameter.defaultValue ?? '') === '',
  )
}

export function promptOf(parameter: Json): string {
  const [prompt] = stringsIn(parameter.prompts)
  return prompt ?? `What is the ${String(parameter.displayName)}?`
}

export function parametersOf(
  intent: StoredIntent,
  captured: ReadonlyMap<string, Captured>,
  session: Session,
  { event }: Input,
): Json {
  const values = messagesIn(intent.common.parameters).map((parameter): [string, unknown] => {
    const written = String(parameter.value ?? '')
    const value = referenced(written, captured, session, event) ?? (parameter.defaultValue || undefined)
    if (parameter.isList === true) return [String(parameter.displayName), value === undefined ? [] : [value]]
    return [String(parameter.displayName), value ?? '']
  })
  return Object.fromEntries(values)
}

function referenced(
  written: string,
  captured: ReadonlyMap<string, Captured>,
  session: Session,
  event: Input['event'],
): unknown {
  const own = /^\$([A-Za-z0-9_-]+)(\.original)?$/.exec(written)
  if (own !== null) {
    const found = captured.get(own[1] ?? '')
    return own[2] === undefined ? found?.value : found?.original
  }
  const other = /^#([A-Za-z0-9_%-]+)\.([A-Za-z0-9_.-]+)$/.exec(written)
  if (other === null) return written === '' ? undefined : written
  const [, source = '', field = ''] = other
  if (event?.name.toLowerCase() === source.toLowerCase()) return ownValue(event.parameters, field)
  return contextValue(session, source, field)
}

function contextValue(session: Session, context: string, name: string): unknown {
  return ownValue(session.contexts.get(context.toLowerCase())?.parameters ?? {}, name)
}

function ownValue(values: Json, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** Replaces `$name`, `$name.original` and `#context.name` in the text of a message. */
export function filled(text: string, values: Json, originals: Json, session: Session): string {
  return text
    .replaceAll(/\$([A-Za-z0-9_-]+)(\.original)?/g, (whole, name: string, original?: string) => {
      const value = original === undefined ? ownValue(values, name) : ownValue(originals, `${name}.original`)
      return value === undefined ? whole : String(value)
    })
    .replaceAll(/#([A-Za-z0-9_%-]+)\.([A-Za-z0-9_-]+)/g, (whole, id: string, name: string) => {
      const value = contextValue(session, id, name)
      return value === undefined ? whole : String(value)
    })
}
