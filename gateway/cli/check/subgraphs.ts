/**
 * Checks each subgraph that is a service elsewhere: whether it responds, accepts our signature and no other, and
 * has the expected schema. If scopes are left to it, it must refuse a scoped field to a caller without a token.
 */
import { type DocumentNode, Kind } from 'graphql'
import { parseSdl } from '../../../shared/graphql/parse-sdl.ts'
import { reasonOf } from '../../../shared/http/failure-reason.ts'
import { createSigner, routerHeader, signatureHeader } from '../../../shared/http/signature.ts'
import { isObject } from '../../../shared/json/is-object.ts'
import { parsedJson } from '../../../shared/json/parse-json.ts'
import { counted } from '../../../shared/runtime/counted.ts'
import { type ServiceName, serviceNamed, serviceNames } from '../../../subgraphs/index.ts'
import { parseSchemaFile } from '../../../subgraphs/kit/subgraph.ts'
import { type Answer, type Finding, look, type Outcome, placeOf, post } from './finding.ts'

interface Target {
  readonly name: string
  readonly url: string
  readonly secret: string | undefined
  /** Whether only the services check scopes. */
  readonly scopesByServices: boolean
  readonly timeoutMs: number
}

export async function checkSubgraphs(
  urls: Readonly<Record<string, string>>,
  options: Omit<Target, 'name' | 'url'>,
): Promise<Finding[]> {
  const targets = Object.entries(urls).map(([name, url]) => ({ ...options, name, url }))
  return (await Promise.all(targets.map(checkSubgraph))).flat()
}

async function checkSubgraph(target: Target): Promise<Finding[]> {
  const schema = await checkSchema(target)
  // Further checks would fail in the same way.
  if (schema.cure !== undefined) return [schema]
  const looks = [schema]
  if (target.secret !== undefined) looks.push(await checkWithoutProof(target))
  const probe = isService(target.name) ? serviceNamed(target.name).probe : undefined
  if (target.scopesByServices && probe !== undefined)
    looks.push(await checkScopes(target, probe.scoped ?? probe.operation))
  return looks
}

const isService = (name: string): name is ServiceName => serviceNames.some((known) => known === name)
const variableOf = (name: string): string => `TESSERA_${name.toUpperCase()}_SUBGRAPH_URL`

type Proof = 'gateway' | 'router' | 'none'

/** Sends a query with the signature of our gateway, or that of another router, and without a caller's token. */
function ask({ name, url, secret, timeoutMs }: Target, query: string, proof: Proof): Promise<Answer> {
  const body = JSON.stringify({ query })
  const { pathname, search } = new URL(url)
  const headers: Record<string, string> = {}
  if (secret !== undefined && proof === 'router') headers[routerHeader] = `Bearer ${secret}`
  if (secret !== undefined && proof === 'gateway') {
    const signed = {
      method: 'POST',
      path: `${pathname}${search}`,
      audience: name,
      body,
      header: () => undefined,
    }
    headers[signatureHeader] = createSigner(secret)(signed)
  }
  return post(url, body, headers, timeoutMs)
}

const lookAt = ({ name, url }: Target, tried: string, run: () => Promise<Outcome>): Promise<Finding> =>
  look({ subject: `${name} subgraph`, place: placeOf(url), tried }, run, (error) => ({
    said: reasonOf(error),
    cure: `start it with \`tessera subgraph ${name}\`, or correct ${variableOf(name)}`,
  }))

interface Result {
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: readonly { readonly extensions?: { readonly code?: unknown } }[]
}

function resultIn({ text }: Answer): Result | undefined {
  const json = parsedJson(text)
  return isObject(json) && ('data' in json || 'errors' in json) ? (json as Result) : undefined
}

const hasCode = (result: Result | undefined, code: string): boolean =>
  result?.errors?.some(({ extensions }) => extensions?.code === code) === true

const checkSchema = (target: Target): Promise<Finding> =>
  lookAt(
    target,
    `asked for its schema, ${target.secret === undefined ? 'without a secret' : 'signed'}`,
    async () => {
      const answer = await ask(target, '{ _service { sdl } }', 'gateway')
      const result = resultIn(answer)
      if (hasCode(result, 'UNAUTHENTICATED'))
        return target.secret === undefined
          ? { said: 'it requires proof', cure: 'set TESSERA_SUBGRAPH_SECRET to what the service has' }
          : {
              said: 'it does not accept the signature',
              cure: 'set the same TESSERA_SUBGRAPH_SECRET there and here, and make sure that both clocks are right to the minute and that the address is that of this subgraph',
            }
      const sdl = (result?.data?._service as { sdl?: unknown } | null | undefined)?.sdl
      if (typeof sdl !== 'string')
        return {
          said: `it returns status ${answer.status}, and not the response of a subgraph`,
          cure: `correct ${variableOf(target.name)}: its path is /graphql`,
        }
      return judgedSchema(target.name, sdl)
    },
  )

function judgedSchema(name: string, sdl: string): Outcome {
  let theirs: ReadonlySet<string>
  try {
    theirs = fieldsIn(parseSdl(sdl, { noLocation: true }))
  } catch {
    return { said: 'its schema is not GraphQL', cure: `correct ${variableOf(name)}` }
  }
  const missing = [...fieldsIn(parseSchemaFile(name))].filter((field) => !theirs.has(field))
  if (missing.length === 0) return {}
  const [first] = missing
  return {
    said: `its schema lacks ${first}${missing.length === 1 ? '' : ` and ${counted(missing.length - 1, 'other field')}`}`,
    cure: `it is another subgraph, or an older version: correct ${variableOf(name)}, or update the service first`,
  }
}

function fieldsIn(document: DocumentNode): Set<string> {
  return new Set(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.OBJECT_TYPE_EXTENSION
        ? (definition.fields ?? []).map((field) => `${definition.name.value}.${field.name.value}`)
        : [],
    ),
  )
}

const checkWithoutProof = (target: Target): Promise<Finding> =>
  lookAt(target, 'asked it without proof', async () => {
    const result = resultIn(await ask(target, '{ __typename }', 'none'))
    return hasCode(result, 'UNAUTHENTICATED')
      ? { said: 'refused, as it should be' }
      : { said: 'it responds to everybody', cure: 'set TESSERA_SUBGRAPH_SECRET at the service, too' }
  })

const checkScopes = (target: Target, query: string): Promise<Finding> =>
  lookAt(target, 'asked for a scoped field without a token, as another router would', async () => {
    const result = resultIn(await ask(target, query, 'router'))
    return hasCode(result, 'UNAUTHORIZED_FIELD_OR_TYPE')
      ? { said: 'refused, as it should be' }
      : {
          said: 'it opens the field to everybody',
          cure: 'set TESSERA_SUBGRAPH_SCOPES=true at the service, with the key for verifying tokens (TESSERA_JWT_…)',
        }
  })
