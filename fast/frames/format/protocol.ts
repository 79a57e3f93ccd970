/** The names and bounds on which both sides of a connection agree. */

/** The value of the `Upgrade` header. Another version would have another name. */
export const framesProtocol = 'tessera-frames/1'
/** Random for each connection, in the response to the upgrade: a part of the key of its seals. */
export const nonceHeader = 'tessera-frames-nonce'
/** A header of the response to the upgrade: the name of the process. */
export const instanceHeader = 'tessera-instance'
/** How often the system checks that the other side is still there. */
export const keepAliveMs = 30_000

export const frameTypes = {
  /** From the gateway: defines the document of a number. The number is sent as the number of the exchange. */
  document: 1,
  request: 2,
  /** From the gateway: the response is not needed any more. */
  cancel: 3,
  response: 4,
  /** From the service: a further part of a response's body. */
  data: 5,
  /** From the service: it accepts no more requests on this connection. */
  leave: 6,
  /** From the gateway: the frames of one write, with their seal. */
  sealed: 7,
} as const
export type FrameType = (typeof frameTypes)[keyof typeof frameTypes]

export const headBytes = 9
export const mostPayloadBytes = 64 * 1024
/** The length of a seal in base64url characters, which is 132 bits. */
export const sealBytes = 22
/** The longest payload of a sealed frame: one frame of the greatest length, and the seal. */
export const mostSealedBytes = headBytes + mostPayloadBytes + sealBytes

/** The most requests under way on one connection, a power of two. */
export const mostUnderWay = 128
/** The most documents on one connection. After that, a new document takes the number of the oldest one. */
export const mostDocuments = 256

/** The slot of a request on both sides. Two requests in a row in one slot have different numbers. */
export const slotOf = (exchange: number): number => exchange % mostUnderWay
