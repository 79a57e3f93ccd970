/** The routes other than GraphQL, as data, and the choice of the route for a request. */
import type { IncomingMessage } from 'node:http'
import type { GraphQLError } from 'graphql'
import { statusOfError } from '../../shared/errors.ts'
import { append } from '../../shared/runtime/maps.ts'

export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const

interface RouteRequest {
  readonly id: string
  readonly raw: IncomingMessage
  /** The last part of the path, decoded, if the path of the route ends in `*`; else empty. */
  readonly last: string
  /** Empty for GET, and for a route that streams the body from `raw`. */
  readonly body: Buffer
  /** Calls it once if the connection is closed before the response has left. */
  whenGone(call: () => void): void
}

export interface RouteResponse {
  /** 200 by default. */
  readonly status?: number
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  /** One of these is the body. Bytes are sent as they are; the others may be compressed. */
  readonly json?: unknown
  readonly text?: string
  readonly bytes?: Buffer
}

export interface Route {
  /** GET answers HEAD as well. */
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Ends in `/*` if its last part may be anything. */
  readonly path: string
  /** The body may have any length: the route streams it, and its requests are awaited when the server stops. */
  readonly isStreamed?: boolean
  answer(request: RouteRequest): RouteResponse | Promise<RouteResponse>
}

export interface FoundRoute {
  readonly route: Route
  readonly last: string
}

/** Why no route is found. `allow` are the methods of the path's routes, as in the header. */
export type NoRoute = 'nothing' | 'unreadable' | { readonly allow: string }

export const isFound = (found: FoundRoute | NoRoute): found is FoundRoute =>
  typeof found === 'object' && 'route' in found

/** A response with one error, which nothing on the way caches. */
export const refusal = (error: GraphQLError): RouteResponse => ({
  status: statusOfError(error),
  headers: securityHeaders,
  json: { errors: [error] },
})

/** What `*` stands for in a path. */
const anyPart = '*'

export class RouteTable {
  readonly #whole = new Map<string, Route[]>()
  /** Routes whose last part may be anything, by the path before it. */
  readonly #below = new Map<string, Route[]>()

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const { path } = route
      if (path.endsWith(`/${anyPart}`)) append(this.#below, path.slice(0, -anyPart.length), route)
      else append(this.#whole, path, route)
    }
  }

  /** `target` is the request's target, from its first slash on. A last slash in the path changes nothing. */
  find(method: string, target: string): FoundRoute | NoRoute {
    const asked = method === 'HEAD' ? 'GET' : method
    const end = target.search(/[?#]/)
    const sent = end < 0 ? target : target.slice(0, end)
    const path = sent.length > 1 && sent.endsWith('/') ? sent.slice(0, -1) : sent
    const cut = path.lastIndexOf('/') + 1
    try {
      // %2F is part of a name, and no slash: `decodeURI` leaves it unchanged.
      const whole = this.#whole.get(decodeURI(path))
      const routes = whole ?? this.#below.get(decodeURI(path.slice(0, cut)))
      if (routes === undefined || (whole === undefined && cut === path.length)) return 'nothing'
      const last = whole === undefined ? decodeURIComponent(path.slice(cut)) : ''
      const route = routes.find((each) => each.method === asked)
      return route === undefined ? { allow: routes.map(methodsOf).join(', ') } : { route, last }
    } catch {
      return 'unreadable'
    }
  }
}

const methodsOf = ({ method }: Route): string => (method === 'GET' ? 'GET, HEAD' : method)

/**
 * The target in its usual form, from its first slash on. Clients that take this server for a proxy send the whole URL
 * (RFC 9112, section 3.2.2).
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}
