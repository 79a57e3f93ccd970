/** Incremental delivery over HTTP: the formats that clients accept, and how they are sent. */
export { acceptedPieces, type PiecesType } from './accept.ts'
export type { FirstPart } from './dialects.ts'
export { type AnswerInPieces, sendPieces } from './send.ts'
