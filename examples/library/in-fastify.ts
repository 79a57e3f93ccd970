/** A graph behind a route of a Fastify server. */
import Fastify, { type FastifyInstance } from 'fastify'
import type { GraphHandler } from 'tessera-graph/engine'

export function createServer(graph: GraphHandler): FastifyInstance {
  const server = Fastify()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body)
  })
  server.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    async handler(request, reply) {
      const {
        status,
        headers: own,
        body,
      } = await graph.respond({
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: request.body as Buffer | undefined,
        address: request.ip,
      })
      const { vary = '', ...headers } = own
      // Plugins, such as that for CORS, may have set some, too.
      const varying = [reply.getHeader('vary') ?? '', vary].flat().filter((each) => each !== '')
      if (varying.length > 0) reply.header('vary', varying.join(', '))
      return reply.status(status).headers(headers).send(body)
    },
  })
  return server
}
