/** Reads the file of a client of an authorization server: its identity, and what it requests. */
import { z } from 'zod'
import { type ClientProof, readClientKey } from '../../../shared/http/client-authentication.ts'
import { messageOf } from '../../../shared/runtime/thrown.ts'
import { readCredentialsFile, type WrongFile, wrongFile } from './credentials-file.ts'
import { tokenUrlFrom } from './token-endpoint.ts'

export interface OauthClient {
  /** The path of its file, by which its credential is known. */
  readonly file: string
  readonly tokenUrl: URL
  readonly clientId: string
  readonly proof: ClientProof
  readonly scope: string | undefined
  readonly audience: string | undefined
  readonly resource: string | undefined
}

const text = z.string().min(1)
const common = {
  token_url: text,
  client_id: text,
  scope: text.optional(),
  audience: text.optional(),
  resource: text.optional(),
}
const withSecret = z.strictObject({
  ...common,
  client_auth: z.enum(['basic', 'post']).default('basic'),
  client_secret: text,
})
const withKey = z.strictObject({
  ...common,
  client_auth: z.literal('private_key_jwt'),
  private_key: text,
  private_key_id: text.optional(),
  assertion_audience: text.optional(),
})
const asksForKey = z.object({ client_auth: z.literal('private_key_jwt') })

/** Throws an Error that names the file and the fault, and quotes nothing of its content. */
export function readOauthFile(file: string, service: string): OauthClient {
  const wrong = wrongFile(file, service)
  const content = readCredentialsFile(file, wrong)
  const read = (asksForKey.safeParse(content).success ? withKey : withSecret).safeParse(content)
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
    file,
    tokenUrl,
    clientId: data.client_id,
    proof: proofOf(data, wrong),
    scope: data.scope,
    audience: data.audience,
    resource: data.resource,
  }
}

function proofOf(
  data: z.output<typeof withSecret> | z.output<typeof withKey>,
  wrong: WrongFile,
): ClientProof {
  if (data.client_auth !== 'private_key_jwt') return { by: data.client_auth, secret: data.client_secret }
  try {
    return {
      by: data.client_auth,
      key: readClientKey(data.private_key),
      keyId: data.private_key_id,
      audience: data.assertion_audience ?? data.token_url,
    }
  } catch (error) {
    throw wrong(`has a private_key that ${messageOf(error)}`)
  }
}
