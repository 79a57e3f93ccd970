/** Requests to a handler, and the servers around it. */
import type { Server } from 'node:http'
import { keep } from '../../support/keep.ts'
import { listen } from '../../support/listen.ts'

export type Ask = (init: RequestInit & { path?: string }) => Promise<Response>

/** Lets a server listen until the test ends. */
export async function asking(server: Server): Promise<Ask> {
  const { url } = keep(await listen(server))
  return ({ path = '/graphql', ...init }) => fetch(`${url}${path}`, init)
}

export const json = { 'content-type': 'application/json' }
export const post = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { ...json, ...headers },
  body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
})
