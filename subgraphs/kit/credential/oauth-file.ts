/** The file of a client at an authorization server: who it is, where it asks, and for what. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { parseJson } from '../upstream/json.ts'
import { tokenUrlFrom } from './token-endpoint.ts'

export interface OauthClient {
  readonly tokenUrl: URL
  readonly clientId: string
  readonly clientSecret: string
  /** How it authenticates: by HTTP Basic, or in the form. */
  readonly by: 'basic' | 'post'
  readonly scope: string | undefined
  readonly audience: string | undefined
  readonly resource: string | undefined
}

const text = z.string().min(1)
const shape = z.strictObject({
  token_url: text,
  client_id: text,
  client_secret: text,
  client_auth: z.enum(['basic', 'post']).default('basic'),
  scope: text.optional(),
  audience: text.optional(),
  resource: text.optional(),
})

/** Throws an Error that names the file and what is wrong with it, and nothing of what stands in it. */
export function readOauthFile(file: string, service: string): OauthClient {
  const wrong = (fault: string): Error => new Error(`the credentials file of ${service} (${file}) ${fault}`)
  let content: unknown
  try {
    content = parseJson(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw wrong(`cannot be read: ${String(error.code)}`)
    throw wrong('is not JSON')
  }
  const read = shape.safeParse(content)
  if (!read.success) {
    const faults = read.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => `an unknown ${key}`)
        : [issue.path.join('.')],
    )
    const [first = ''] = faults
    throw wrong(first.startsWith('an unknown') ? `has ${first}` : `lacks a valid ${first || 'object'}`)
  }
  const { data } = read
  const tokenUrl = tokenUrlFrom(data.token_url)
  if (tokenUrl === undefined) throw wrong('has a token_url that is not https')
  return {
    tokenUrl,
    clientId: data.client_id,
    clientSecret: data.client_secret,
    by: data.client_auth,
    scope: data.scope,
    audience: data.audience,
    resource: data.resource,
  }
}
