/** The names and bounds on which both sides of a connection agree. */

/** In the `Upgrade` header; another version is another name. */
export const framesProtocol = 'tessera-frames/1'
/** Of the answer to the upgrade: a random text, different for each connection, which goes into the key of its seals. */
export const nonceHeader = 'tessera-frames-nonce'
/** Of the answer to the upgrade: the name of the process that answers. */
export const instanceHeader = 'tessera-instance'

export const frameTypes = {
  /** From the gateway: the document that a number stands for from now on; the number is in the place of the exchange's. */
  document: 1,
  request: 2,
  /** From the gateway: the answer is not needed any more. */
  cancel: 3,
  response: 4,
  /** A further part of the body of a response. */
  data: 5,
  /** From the service: no new request on this connection. */
  leave: 6,
  /** From the gateway: frames that leave in one write, and the seal of all of them. */
  sealed: 7,
} as const
export type FrameType = (typeof frameTypes)[keyof typeof frameTypes]

export const headBytes = 9
export const mostPayloadBytes = 64 * 1024
/** The length of a seal in base64url characters: 132 bits. */
export const sealBytes = 22
/** Of sealed frames: one of the longest fits. */
export const mostSealedBytes = headBytes + mostPayloadBytes + sealBytes

/** Requests under way on one connection. A power of two. */
export const mostUnderWay = 128
/** Numbers of documents on one connection. A new document takes the number of the oldest. */
export const mostDocuments = 256

/** The place of a request in the lists of both sides: its number says so, and differs from that of the one before it. */
export const slotOf = (exchange: number): number => exchange % mostUnderWay
