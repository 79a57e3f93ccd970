/**
 * mercurius' gateway over the subgraphs, with its authorization plugin configured as in its documentation. The
 * plugin gives the directives no meaning of their own, so it gets the meaning of each from here.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import gateway from '@mercuriusjs/gateway'
import Fastify from 'fastify'
import auth from 'mercurius-auth'

const { AUDIT_SUBGRAPHS, AUDIT_PORT, AUDIT_JWT_SECRET } = process.env

/** The scopes of a token that the audit has signed; undefined without one. */
function scopesOf(header) {
  const [, signed, signature] = /^Bearer ([\w-]+\.[\w-]+)\.([\w-]+)$/.exec(header ?? '') ?? []
  if (signed === undefined) return undefined
  const right = createHmac('sha256', AUDIT_JWT_SECRET).update(signed).digest()
  const given = Buffer.from(signature, 'base64url')
  if (right.length !== given.length || !timingSafeEqual(right, given)) return undefined
  const { scope = '' } = JSON.parse(Buffer.from(signed.split('.')[1], 'base64url').toString())
  return new Set(scope.split(' ').filter((each) => each !== ''))
}

/** One of the lists in `scopes` must be granted as a whole. */
function isGranted({ arguments: [given] }, granted) {
  return given.value.values.some((all) => all.values.every(({ value }) => granted.has(value)))
}

const app = Fastify()
await app.register(gateway, {
  gateway: {
    services: JSON.parse(readFileSync(AUDIT_SUBGRAPHS, 'utf8')).map(({ name, url, sdl }) => ({
      name,
      url,
      schema: sdl,
    })),
  },
  subscription: true,
})
const authContext = ({ reply }) => ({ granted: scopesOf(reply.request.headers.authorization) })
await app.register(auth, {
  authContext,
  authDirective: 'requiresScopes',
  applyPolicy: (directive, _parent, _args, { auth: { granted } }) =>
    isGranted(directive, granted ?? new Set()),
})
await app.register(auth, {
  authContext,
  authDirective: 'authenticated',
  applyPolicy: (_directive, _parent, _args, { auth: { granted } }) => granted !== undefined,
})
await app.listen({ port: Number(AUDIT_PORT), host: '127.0.0.1' })
