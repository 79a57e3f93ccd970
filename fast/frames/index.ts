/**
 * Frames: the gateway's connections to a subgraph service, and the service's side of them. README.md explains why,
 * and `format/` has the protocol.
 */
export { openFrames } from './client/index.ts'
export { serveFrames } from './service/index.ts'
