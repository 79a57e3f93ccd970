/**
 * The problems of the message service, as whole responses and as partial errors of a successful one. Their types
 * have two different hosts, as in the real service.
 */
import type { StandInAnswer } from '../stand-in.ts'

export type Problem = Readonly<Record<string, unknown>> & { readonly title: string }

const types = 'https://api.x.com/2/problems/'
const olderTypes = 'https://api.twitter.com/2/problems/'
const problemHeaders = { 'content-type': 'application/problem+json' }

/** Status 400 with all faults of the request, each with its parameters. */
export function invalidRequest(
  faults: readonly {
    readonly parameters: Readonly<Record<string, readonly string[]>>
    readonly message: string
  }[],
): StandInAnswer {
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

export const unauthorized = problemAnswer(401, {
  title: 'Unauthorized',
  type: 'about:blank',
  detail: 'Unauthorized',
})

export const tooManyRequests = problemAnswer(429, {
  title: 'Too Many Requests',
  type: 'about:blank',
  detail: 'Too Many Requests',
})

export function forbidden(detail: string): StandInAnswer {
  return problemAnswer(403, { title: 'Forbidden', type: 'about:blank', detail })
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

export function notFound({ id, parameter, resource }: Missing): Problem {
  return {
    value: id,
    detail: `Could not find ${resource} with ${parameter}: [${id}].`,
    title: 'Not Found Error',
    resource_type: resource,
    parameter,
    resource_id: id,
    type: `${olderTypes}resource-not-found`,
  }
}

export function notAuthorized({ id, parameter, resource }: Missing): Problem {
  return {
    value: id,
    detail: `Sorry, you are not authorized to see the ${resource} with ${parameter}: [${id}].`,
    title: 'Authorization Error',
    resource_type: resource,
    parameter,
    resource_id: id,
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
