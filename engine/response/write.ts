/** How the JSON of a response's data is made from what the plan brought together. */
import type { ByteString } from '../../shared/json/byte-string.ts'
import type { JsonObject } from '../executor/execution.ts'
import type { NoteKept } from '../kept-memory.ts'
import type { Variables } from '../operation/variables.ts'
import type { ResponsePosition } from './shape.ts'

/**
 * Prepares an operation whose response has the shape that `shape` answers. What it makes is called with the data of each
 * execution that had no error, and answers its JSON; or undefined: then every value is completed, as the schema says, and
 * the result goes through `JSON.stringify`. Both must agree to the byte.
 */
export type WriteResponse = (
  shape: () => ResponsePosition,
  noteKept: NoteKept,
) => (data: JsonObject, variables: Variables) => ByteString | undefined

/** The plain one: leaves every response to be completed. */
export const completeAll: WriteResponse = () => () => undefined
