/** A small REST service: books in pages of at most three, and by id, five ids to a call. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const titles = ['Emma', 'Ulysses', 'Dracula', 'Middlemarch', 'Persuasion', 'Walden', 'Frankenstein']
const books = titles.map((title, index) => ({ id: `b${index + 1}`, title }))

export interface BooksService {
  readonly url: string
  /** The path and query of each request, in order. */
  readonly requests: readonly string[]
  close(): void
}

export async function startBooksService(): Promise<BooksService> {
  const requests: string[] = []
  const server: Server = createServer((request, response) => {
    requests.push(request.url ?? '')
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    response.setHeader('content-type', 'application/json')
    const ids = searchParams.get('ids')?.split(',')
    if (pathname !== '/books') {
      response.statusCode = 404
      response.end('{"error":"not found"}')
    } else if (ids !== undefined) {
      response.end(JSON.stringify({ items: books.filter(({ id }) => ids.includes(id)) }))
    } else {
      const from = Number(searchParams.get('token') ?? 0)
      const to = from + Math.min(3, Number(searchParams.get('size') ?? 3))
      response.end(
        JSON.stringify({
          items: books.slice(from, to),
          total: books.length,
          ...(to < books.length ? { next: String(to) } : {}),
        }),
      )
    }
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
