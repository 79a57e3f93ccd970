/** Writes the data of a response as JSON. */
import type { ByteString } from '../../shared/json/byte-string.ts'
import type { NoteBytes } from '../cache-memory.ts'
import type { JsonObject } from '../executor/execution.ts'
import type { Variables } from '../operation/variables.ts'
import type { ResponsePosition } from './shape.ts'

/**
 * Prepares a writer for the shape that `shape` returns. The writer receives the data of executions without errors. It
 * returns the JSON, or undefined to have every value completed and passed through `JSON.stringify`. Both ways must
 * agree to the byte.
 */
export type WriteResponse = (
  shape: () => ResponsePosition,
  noteBytes: NoteBytes,
) => (data: JsonObject, variables: Variables) => ByteString | undefined

/** Completes every response instead of writing it directly. */
export const completeAll: WriteResponse = () => () => undefined
