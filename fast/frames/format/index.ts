/**
 * Frames: the protocol between the gateway and our own subgraph services, on a connection that was upgraded from
 * HTTP. Many requests share one connection, documents are named by numbers, and frames of one turn of the event
 * loop are sent in one write. ../README.md specifies them.
 *
 * A frame is a head of nine bytes (length of the payload, type, number of the exchange; big-endian) and a payload
 * of at most 64 KiB. A request is one frame; if it does not fit, it goes by plain HTTP. A response is one frame,
 * followed by others if it is long. If there is a secret, each write of the gateway is one sealed frame.
 */
export { headerIn, headersIn, headText } from './head.ts'
export {
  type DocumentMessage,
  documentIn,
  type RequestMessage,
  requestIn,
  responseIn,
} from './messages.ts'
export {
  type FrameType,
  framesProtocol,
  frameTypes,
  instanceHeader,
  keepAliveMs,
  mostDocuments,
  mostUnderWay,
  nonceHeader,
  slotOf,
} from './protocol.ts'
export { FrameReader, readSealed } from './reader.ts'
export { createSealing, isSealed, type Seal } from './seal.ts'
export { FrameWriter } from './writer.ts'
