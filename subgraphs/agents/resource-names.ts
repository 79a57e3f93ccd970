/**
 * The service's resource names: `projects/*` and what is below. Names from callers are taken apart and checked
 * here, so that no path is built from an unchecked part.
 */
import { badInput } from '../../shared/errors.ts'
import { wrongArgument } from '../kit/wrong-argument.ts'

export interface SessionName {
  readonly project: string
  readonly environment: string
  readonly user: string
  readonly session: string
}

/** Domain-scoped projects have a colon and dots. A number is another id of a project. */
const projectForm = /^[A-Za-z0-9](?:[A-Za-z0-9._:-]{0,126}[A-Za-z0-9])?$/
const contextForm = /^[A-Za-z0-9_%-]{1,250}$/

function isSegment(text: string): boolean {
  return /^[^/\p{Cc}\p{Cs}]+$/u.test(text) && text !== '.' && text !== '..'
}

export function isProject(project: string): boolean {
  return projectForm.test(project)
}

export function checkProject(project: string, at: string): string {
  if (isProject(project)) return project
  throw wrongArgument(
    at,
    `must be a project's id, such as \`my-project\`: one path segment, without \`projects/\`.`,
  )
}

export function projectName(project: string): string {
  return `projects/${project}`
}

/** The project of `projects/<project>/agent/intents/<intent>`; undefined for any other text. */
export function projectOfIntent(name: string): string | undefined {
  const [, project = '', intent = ''] = /^projects\/([^/]+)\/agent\/intents\/([^/]+)$/.exec(name) ?? []
  return isProject(project) && isSegment(intent) ? project : undefined
}

/** Returns the project. */
export function checkIntentName(name: string, at: string): string {
  const project = projectOfIntent(name)
  if (project !== undefined) return project
  throw wrongArgument(at, `must be an intent's full name, \`projects/<project>/agent/intents/<intent>\`.`)
}

export function checkOperationName(name: string, at: string): void {
  const [, project = '', operation = ''] = /^projects\/([^/]+)\/operations\/([^/]+)$/.exec(name) ?? []
  if (isProject(project) && isSegment(operation)) return
  throw wrongArgument(at, `must be an operation's full name, \`projects/<project>/operations/<id>\`.`)
}

/** User and session have at most 36 characters each, which is the length of a UUID. */
export function checkSession(
  input: {
    readonly project: string
    readonly environment?: string | undefined
    readonly user?: string | undefined
    readonly session: string
  },
  at: string,
): SessionName {
  const { project, environment = 'draft', user = '-', session } = input
  checkProject(project, `${at}.project`)
  const parts = { project, environment, user, session }
  for (const part of ['environment', 'user', 'session'] as const) {
    const value = parts[part]
    const limit = part === 'environment' ? 64 : 36
    if (!isSegment(value) || [...value].length > limit) {
      throw wrongArgument(
        `${at}.${part}`,
        `must be 1 to ${limit} characters, without slashes and control characters; it has ${[...value].length}.`,
      )
    }
  }
  return parts
}

export function sessionName({ project, environment, user, session }: SessionName): string {
  return `projects/${project}/agent/environments/${environment}/users/${user}/sessions/${session}`
}

/**
 * A context's full name, from its id or its full name. `session` is the full name of the conversation. Contexts of
 * an intent belong to no conversation, and have `projects/<project>/agent/sessions/-` instead.
 */
export function contextName(given: string, session: string, at: string): string {
  if (contextForm.test(given)) return `${session}/contexts/${given}`
  const [, project] = session.split('/')
  const id =
    /^(projects\/[^/]+)\/agent\/(?:environments\/[^/]+\/users\/[^/]+\/)?sessions\/([^/]+)\/contexts\/([^/]+)$/.exec(
      given,
    )
  const ofIntent = session.endsWith('/agent/sessions/-')
  if (
    id?.[1] !== `projects/${project}` ||
    !contextForm.test(id[3] ?? '') ||
    id[2] !== session.slice(session.lastIndexOf('/') + 1)
  ) {
    throw badInput(
      `\`${at}\` must be a context's id (up to 250 of letters, digits and \`_-%\`) or its full name in ` +
        (ofIntent ? "the intent's own project with the session `-`." : 'the same session.'),
      { argument: at },
    )
  }
  return given
}

export function lastSegment(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
