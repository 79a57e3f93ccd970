/**
 * Node's HTTP, of the modules that serving loads. An `import` of `node:http` would read everything that it exports, and
 * so load the `fetch` and `WebSocket` that Node has of its own, which nothing here uses: a twentieth of a start.
 */
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')
