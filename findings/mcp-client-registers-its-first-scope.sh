#!/usr/bin/env bash
# Software: @modelcontextprotocol/client 2.4.0 with oidc-provider 9.13.3, from npm.
#
# A client of the Model Context Protocol that knows no client id registers itself (RFC 7591), and puts the scope of the
# challenge that it happened to meet first into its registration as `scope`. Its own step-up then asks for more than that:
# on 403 `insufficient_scope` it opens an authorization request for the scopes of the second challenge. RFC 7591, section
# 2, calls the registered `scope` what "the client can use when requesting access tokens", and oidc-provider holds a client
# to it. So the two, each by its own specification, never step up: the user is sent back with `invalid_scope`, and the
# registration that would have to change is remembered by the client. A server that names all its scopes in the first
# challenge, or one whose registration gives every client all scopes, does not meet it.
# Sources: https://www.rfc-editor.org/rfc/rfc7591#section-2 and
# https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization (scope selection strategy, step-up).
#
# Seen on 2026-11-27:
#   first challenge: read
#   registered with scope: read
#   authorization asked for: read
#   second challenge: read write
#   authorization asked for: read write
#   sent back with: invalid_scope, requested scope is not allowed
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact \
  @modelcontextprotocol/client@2.4.0 oidc-provider@9.13.3 >install.log 2>&1 || { cat install.log; exit 1; }
cat > run.mjs <<'JS'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import Provider from 'oidc-provider'

process.emitWarning = () => {}
console.warn = console.info = () => {}
const listen = async (server) => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${server.address().port}`
}

const issuerServer = createServer()
const issuer = await listen(issuerServer)
const provider = new Provider(issuer, {
  scopes: ['openid', 'read', 'write'],
  features: { registration: { enabled: true } },
  clientAuthMethods: ['none'],
})
provider.on('registration_create.success', (_, client) => console.log(`registered with scope: ${client.scope}`))
issuerServer.on('request', provider.callback())

// A server of the protocol that wants one scope of everybody, and two of whoever has a token.
const resourceServer = createServer((request, response) => {
  const { pathname } = new URL(request.url, resource)
  if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify({ resource: `${resource}/mcp`, authorization_servers: [issuer] }))
  }
  const isKnown = request.headers.authorization !== undefined
  const scope = isKnown ? 'read write' : 'read'
  console.log(`${isKnown ? 'second' : 'first'} challenge: ${scope}`)
  const error = isKnown ? 'error="insufficient_scope", ' : ''
  response.setHeader(
    'www-authenticate',
    `Bearer ${error}scope="${scope}", resource_metadata="${resource}/.well-known/oauth-protected-resource/mcp"`,
  )
  response.writeHead(isKnown ? 403 : 401).end()
})
const resource = await listen(resourceServer)

let information, tokens, verifier, opened
const store = {
  redirectUrl: 'http://127.0.0.1:9/callback',
  clientMetadata: {
    client_name: 'an agent',
    redirect_uris: ['http://127.0.0.1:9/callback'],
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
  },
  clientInformation: () => information,
  saveClientInformation: (it) => { information = it },
  tokens: () => tokens,
  saveTokens: (it) => { tokens = it },
  redirectToAuthorization: (url) => {
    opened = url
    console.log(`authorization asked for: ${url.searchParams.get('scope')}`)
  },
  saveCodeVerifier: (it) => { verifier = it },
  codeVerifier: () => verifier,
}
const connect = async () => {
  const transport = new StreamableHTTPClientTransport(new URL(`${resource}/mcp`), { authProvider: store })
  try {
    await new Client({ name: 'an agent', version: '1' }, { supportedProtocolVersions: ['2025-11-25'] }).connect(transport)
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error
  }
}
await connect()
// As if the user had signed in: what the resource makes of the token is above.
tokens = { access_token: 'one', token_type: 'Bearer', scope: 'read' }
await connect()
const answer = await fetch(opened, { redirect: 'manual' })
const back = new URL(answer.headers.get('location') ?? 'none:', issuer).searchParams
console.log(`sent back with: ${back.get('error')}, ${back.get('error_description')}`)
process.exit()
JS
node run.mjs 2>errors.log | tee seen.txt || { cat errors.log; exit 1; }
diff - seen.txt <<'SEEN'
first challenge: read
registered with scope: read
authorization asked for: read
second challenge: read write
authorization asked for: read write
sent back with: invalid_scope, requested scope is not allowed
SEEN
