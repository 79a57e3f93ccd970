/**
 * Mercurius' gateway with JIT, over its own subgraph services with JIT, all in one process less than it would
 * have apart. Its gateway reads the SDL of Federation 1: directives that came later are taken out of ours.
 */
import fastify from 'fastify'
import { buildSchema } from 'graphql'

buildSchema('type Query { a: Int }')
fastify()
throw new Error('not written: its gateway composes Federation 1, our subgraphs are Federation 2.9')
