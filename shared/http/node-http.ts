/**
 * Node's HTTP functions. An `import` of `node:http` would evaluate all of its exports, and load Node's own `fetch`
 * and `WebSocket`, which are not used and slow down the start.
 */
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')
