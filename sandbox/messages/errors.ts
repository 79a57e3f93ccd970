/**
 * The problems of the message service, as whole responses and as partial errors of a successful one. Their types
 * have two different hosts, as in the real service.
 */
import type { StandInAnswer } from '../stand-in.ts'

export type Problem = Readonly<Record<string, unknown>> & { readonly title: string }

const types = 'https://api.x.com/2/problems/'
const olderTypes = 'https://api.twitter.com/2/problems/'
const problemHeaders = { 'content-type': 'application/problem+json' }

export interface Fault {
  readonly parameters: Readonly<Record<string, readonly string[]>>
  readonly message: string
}

export function invalidRequest(faults: readonly Fault[]): StandInAnswer {
  return {
    status: 400,
    headers: problemHeaders,
    body: {
      errors: faults,
      title: 'Invalid Request',
      detail: 'One or more parameters to your request was invalid.',
      type: `${olderTypes}invalid-request`,
    },
  }
}

export function problemAnswer(status: number, problem: Problem): StandInAnswer {
  return { status, headers: problemHeaders, body: { ...problem, status } }
}

function blank(status: number, title: string, detail = title): StandInAnswer {
  return problemAnswer(status, { title, type: 'about:blank', detail })
}

export const unauthorized = blank(401, 'Unauthorized')
export const tooManyRequests = blank(429, 'Too Many Requests')

export function forbidden(detail: string): StandInAnswer {
  return blank(403, 'Forbidden', detail)
}

export const unsupportedAuthentication = problemAnswer(403, {
  title: 'Unsupported Authentication',
  detail:
    'Authenticating with OAuth 2.0 Application-Only is forbidden for this endpoint.  Supported authentication types are [OAuth 1.0a User Context, OAuth 2.0 User Context].',
  type: `${types}unsupported-authentication`,
})

interface Missing {
  readonly id: string
  /** The parameter or expansion that refers to the resource. */
  readonly parameter: string
  readonly resource: 'tweet' | 'user'
}

function aboutResource({ id, parameter, resource }: Missing) {
  return { value: id, resource_type: resource, parameter, resource_id: id }
}

export function notFound(missing: Missing): Problem {
  const { id, parameter, resource } = missing
  return {
    ...aboutResource(missing),
    detail: `Could not find ${resource} with ${parameter}: [${id}].`,
    title: 'Not Found Error',
    type: `${olderTypes}resource-not-found`,
  }
}

export function notAuthorized(missing: Missing): Problem {
  const { id, parameter, resource } = missing
  return {
    ...aboutResource(missing),
    detail: `Sorry, you are not authorized to see the ${resource} with ${parameter}: [${id}].`,
    title: 'Authorization Error',
    type: `${types}not-authorized-for-resource`,
  }
}

export function fieldNotAuthorized(id: string, field: string): Problem {
  return {
    resource_id: id,
    resource_type: 'tweet',
    field,
    section: 'data',
    title: 'Field Authorization Error',
    detail: `Sorry, you are not authorized to access '${field}' on the Tweet.`,
    type: `${types}not-authorized-for-field`,
  }
}
