/** Upload sessions. Their bytes are counted and hashed as they arrive, and not kept. */
import { createHash, type Hash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { StandInAnswer } from '../stand-in.ts'
import { refuse } from './errors.ts'
import type { Json } from './model.ts'

export interface Session {
  readonly id: string
  readonly metadata: Json
  readonly parts: readonly string[]
  readonly contentType: string
  readonly announced: number | undefined
  readonly openedAt: number
  hash: Hash
  received: number
  total: number | undefined
  /** The final response, once all bytes have arrived. */
  done: StandInAnswer | undefined
  busy: boolean
}

/** The size of all chunks but the last is a multiple of this. */
export const chunkUnit = 262_144
export const mostBytes = 274_877_906_944

export function createSession(
  metadata: Json,
  parts: readonly string[],
  contentType: string,
  announced: number | undefined,
  openedAt: number,
): Session {
  return {
    id: randomBytes(24).toString('base64url'),
    metadata,
    parts,
    contentType,
    announced,
    openedAt,
    hash: createHash('sha256'),
    received: 0,
    total: announced,
    done: undefined,
    busy: false,
  }
}

/** Refuses other types. `hint` is added to the message. */
export function checkMediaType(type: string, hint = ''): void {
  if (/^video\/[\w.+-]+$/.test(type) || type === 'application/octet-stream') return
  refuse(400, 'badContent', `Media type '${type}' is not supported.${hint}`)
}

/** Reads bytes into the session until they end or the connection breaks. */
export async function take(raw: IncomingMessage, session: Session, most: number): Promise<number> {
  let taken = 0
  try {
    for await (const chunk of raw as AsyncIterable<Buffer>) {
      const bytes = chunk.subarray(0, Math.max(0, most - taken))
      session.hash.update(bytes)
      session.received += bytes.length
      taken += chunk.length
    }
  } catch {
    // The connection broke. The bytes before that have arrived.
  }
  return taken
}

export function jsonFrom(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return refuse(400, 'parseError', 'Parse Error')
  }
}
