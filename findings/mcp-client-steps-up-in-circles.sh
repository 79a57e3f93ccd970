#!/usr/bin/env bash
# Software: @modelcontextprotocol/sdk 1.32.0 (npm), the official client's first major version.
#
# A tool that lacks a scope is refused with 403 `insufficient_scope`, and the client signs in again for the `scope` of that
# challenge alone: what its token held before is asked for no more. RFC 6750, section 3.1, lets a server name "the scope
# necessary to access the protected resource", so a server of two tools with a scope each follows it, and an app that uses
# them in turn sends its user to sign in at every call. A tool that needs both scopes, and names only the missing one, can
# never be called: each sign-in loses the other scope. A server must name the token's scopes in the challenge, too, as the
# specification of 2025-11-25 recommends and does not require.
# Sources: `send` in src/client/streamableHttp.ts (`this._scope = scope`);
# https://www.rfc-editor.org/rfc/rfc6750#section-3.1 and
# https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#scope-challenge-handling
#
# Seen on 2026-12-01, with a tool for each of two scopes, called in turn:
#   a needs read, token has nothing: asks for read
#   b needs write, token has read: asks for write
#   a needs read, token has write: asks for read
#   b needs write, token has read: asks for write
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact \
  @modelcontextprotocol/sdk@1.32.0 >install.log 2>&1 || { cat install.log; exit 1; }
cat > run.mjs <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const scopeOf = { a: 'read', b: 'write' }
const server = createServer(async (request, response) => {
  const { origin } = new URL(`http://127.0.0.1:${server.address().port}`)
  const send = (status, body, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  if (request.url.startsWith('/.well-known/oauth-protected-resource'))
    return send(200, { resource: `${origin}/mcp`, authorization_servers: [origin] })
  if (request.url.startsWith('/.well-known/'))
    return send(200, {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    })
  let text = ''
  for await (const chunk of request) text += chunk
  const { id, params } = JSON.parse(text)
  const needed = scopeOf[params.name]
  const held = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1]?.split('+') ?? []
  if (held.includes(needed)) return send(200, { jsonrpc: '2.0', id, result: {} })
  send(403, {}, { 'www-authenticate': `Bearer error="insufficient_scope", scope="${needed}"` })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')

let held = ''
let asked
const authProvider = {
  redirectUrl: 'http://127.0.0.1/callback',
  clientMetadata: { redirect_uris: ['http://127.0.0.1/callback'] },
  clientInformation: () => ({ client_id: 'app' }),
  tokens: () => ({ access_token: held, token_type: 'Bearer' }),
  saveTokens() {},
  saveCodeVerifier() {},
  codeVerifier: () => '',
  redirectToAuthorization(url) {
    asked = url.searchParams.get('scope')
  },
}
const url = new URL(`http://127.0.0.1:${server.address().port}/mcp`)
for (const name of ['a', 'b', 'a', 'b']) {
  asked = undefined
  const transport = new StreamableHTTPClientTransport(url, { authProvider })
  await transport.start()
  await transport
    .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } })
    .catch(() => {})
  console.log(`${name} needs ${scopeOf[name]}, token has ${held.replace('+', ' ') || 'nothing'}: asks for ${asked}`)
  // The user agrees to what was asked for, and the app gets a token with that.
  if (asked !== undefined) held = asked.replace(' ', '+')
  await transport.close()
}
server.closeAllConnections()
server.close()
JS
node run.mjs | tee seen
diff seen - <<'TEXT'
a needs read, token has nothing: asks for read
b needs write, token has read: asks for write
a needs read, token has write: asks for read
b needs write, token has read: asks for write
TEXT
