/**
 * Frames: the gateway's connections to a subgraph service, and the service's end of them. README.md tells why, and
 * `format/` what is sent.
 */
export { openFrames } from './client/index.ts'
export { serveFrames } from './service/index.ts'
