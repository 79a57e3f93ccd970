/** Finds the route of a method and a path. An exact path takes one lookup, and patterns are tried in turn. */
import type { Route, StandIn } from '../stand-in.ts'

interface RouteMatch {
  /** Undefined if the path exists, but not with this method. */
  readonly route: Route | undefined
  readonly standIn: StandIn
  readonly params: Readonly<Record<string, string>>
}

const none: Readonly<Record<string, string>> = Object.freeze({})

function patternOf(standIn: StandIn, route: Route) {
  const names: string[] = []
  const source = route.path
    .split('/')
    .map((segment) => {
      if (segment === '*') {
        names.push('rest')
        return '(.+)'
      }
      // A parameter that may have a verb behind it: `:name`, `:name:export`. A fixed word may have one, too:
      // `agent:export`.
      const parameter = /^:([A-Za-z]+)(:[A-Za-z]+)?$/.exec(segment)
      if (parameter === null) return segment.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      names.push(parameter[1] ?? '')
      return parameter[2] === undefined ? '([^/]+)' : `([^/]+)${parameter[2]}`
    })
    .join('/')
  return { standIn, route, match: new RegExp(`^${source}$`), names }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function createRouter(standIns: readonly StandIn[]) {
  const exact = new Map<string, Map<string, RouteMatch>>()
  const patterns: ReturnType<typeof patternOf>[] = []
  for (const standIn of standIns) {
    for (const route of standIn.routes) {
      if (/(^|\/)[:*]/.test(route.path)) {
        patterns.push(patternOf(standIn, route))
        continue
      }
      const methods = exact.get(route.path) ?? new Map<string, RouteMatch>()
      methods.set(route.method, { route, standIn, params: none })
      exact.set(route.path, methods)
    }
  }
  return (method: string, path: string): RouteMatch | undefined => {
    const methods = exact.get(path)
    if (methods !== undefined) {
      const [any] = methods.values()
      return methods.get(method) ?? (any === undefined ? undefined : { ...any, route: undefined })
    }
    let otherMethod: RouteMatch | undefined
    for (const { standIn, route, match, names } of patterns) {
      const found = match.exec(path)
      if (found === null) continue
      const params = Object.fromEntries(names.map((name, i) => [name, decoded(found[i + 1] ?? '')]))
      if (route.method === method) return { route, standIn, params }
      otherMethod ??= { route: undefined, standIn, params }
    }
    return otherMethod
  }
}
