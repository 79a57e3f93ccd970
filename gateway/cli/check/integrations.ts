/**
 * Checks what the gateway calls beside services and Redis: the file of hooks, the coprocessor, issuers of tokens, and the
 * collector of traces.
 */
import { GraphQLError } from 'graphql'
import type { JSONWebKeySet } from 'jose'
import { reasonOf } from '../../../shared/http/failure-reason.ts'
import { isObject } from '../../../shared/json/is-object.ts'
import { parsedJson } from '../../../shared/json/parse-json.ts'
import { counted } from '../../../shared/runtime/counted.ts'
import { systemCodeOf } from '../../../shared/runtime/thrown.ts'
import type { IssuerOptions } from '../../auth/authenticate/index.ts'
import { createIntrospection } from '../../auth/authenticate/introspection.ts'
import { fetchKeySet } from '../../auth/authenticate/key-set.ts'
import type { Config } from '../../config/index.ts'
import { loadHooks } from '../../hooks/index.ts'
import { firstLineOf } from '../command.ts'
import { type Answer, type Finding, look, type Outcome, placeOf, post } from './finding.ts'

/** Loads the file, which runs it as at the start of the gateway. */
export function checkHooks(file: string): Promise<Finding> {
  return look(
    { subject: 'hooks', place: 'file', tried: 'loaded it' },
    async () => {
      const names = Object.keys(await loadHooks(file))
      return { said: names.length === 0 ? 'no hooks' : names.join(', ') }
    },
    (error) => ({
      said: firstLineOf(error),
      cure: 'correct the file that TESSERA_HOOKS names: docs/hooks.md',
    }),
  )
}

type Coprocessor = NonNullable<Config['coprocessor']>

const version = 1

/**
 * Whether it responds and speaks the protocol. It is called as it would be before a request, but at the stage `check`,
 * at which it decides nothing.
 */
export function checkCoprocessor({ url, send, stages }: Coprocessor, timeoutMs: number): Promise<Finding> {
  const headers = Object.fromEntries(
    send.map((each) => [each.name, 'value' in each ? String(each.value) : '']),
  )
  const question = { version, stage: 'check', id: 'check', stages: Object.keys(stages) }
  return look(
    { subject: 'coprocessor', place: placeOf(url), tried: 'called it at the stage check' },
    async () => judge(await post(url, JSON.stringify(question), headers, timeoutMs)),
    (error) => ({
      said: reasonOf(error),
      cure: 'make sure that it runs and can be reached from here at coprocessor.url',
    }),
  )
}

function judge({ status, text }: Answer): Outcome {
  if (status === 401 || status === 403)
    return { said: `it answered ${status}`, cure: 'correct the credentials in coprocessor.send' }
  const warning =
    'let it respond to the stage check as docs/hooks.md says, so that this can tell whether it works'
  if (status !== 200) return { said: `it answered ${status}`, warning }
  const answer = parsedJson(text)
  if (answer === undefined)
    return {
      said: 'it returned no JSON',
      cure: 'another server responds there: compare coprocessor.url with docs/hooks.md',
    }
  const said = isObject(answer) ? answer : {}
  if (said.version !== version)
    return {
      said: 'its response lacks the version of the protocol',
      cure: `let it respond with version ${version}, as docs/hooks.md says`,
    }
  return said.control === 'continue' ? {} : { said: 'it did not say to continue', warning }
}

export function checkTraces(
  url: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<Finding> {
  return look(
    { subject: 'traces', place: placeOf(url), tried: 'delivered no spans' },
    async () => {
      const { status } = await post(url, '{"resourceSpans":[]}', headers, timeoutMs)
      if (status >= 200 && status < 300) return {}
      if (status === 401 || status === 403)
        return { said: `it answers ${status}`, cure: 'correct OTEL_EXPORTER_OTLP_HEADERS' }
      return {
        said: `it answers ${status}`,
        cure: 'correct the path of TESSERA_TRACES_URL: it ends in /v1/traces, and the collector must accept JSON there',
      }
    },
    (error) => ({
      said: reasonOf(error),
      cure: 'make sure that the collector runs and accepts OTLP over HTTP, usually on port 4318 (TESSERA_TRACES_URL or OTEL_EXPORTER_OTLP_ENDPOINT)',
    }),
  )
}

const asymmetric: ReadonlySet<unknown> = new Set(['RSA', 'EC', 'OKP', 'AKP'])

/** Whether its key set can be fetched, and has a key for verifying tokens. */
export function checkIssuer(url: string): Promise<Finding> {
  return look(
    { subject: 'keys', place: placeOf(url), tried: "fetched the issuer's keys" },
    async () => {
      const usable = usableKeys(await fetchKeySet(url))
      return usable === 0
        ? { said: 'it has no key for verifying signatures', cure: 'correct TESSERA_JWT_JWKS_URL' }
        : { said: counted(usable, 'key') }
    },
    (error) => ({
      said: wordsFor(error),
      cure: 'correct TESSERA_JWT_JWKS_URL: the issuer names it as jwks_uri',
    }),
  )
}

function wordsFor(error: unknown): string {
  if (error instanceof SyntaxError) return 'the response is not JSON'
  if (!(error instanceof Error)) return reasonOf(error)
  const { cause } = error
  return systemCodeOf(cause) === undefined ? error.message : reasonOf(cause)
}

const usableKeys = ({ keys }: JSONWebKeySet): number =>
  keys.filter(({ kty, use }) => asymmetric.has(kty) && use !== 'enc').length

/** Whether its introspection responds for an invalid token, and accepts our credential. */
export function checkIntrospection(options: NonNullable<IssuerOptions['introspection']>): Promise<Finding> {
  const introspection = createIntrospection(options, Date.now)
  return look(
    { subject: 'tokens', place: placeOf(options.url), tried: 'asked the issuer about an invented token' },
    async () => {
      await introspection.claims('tessera-check')
      return { said: 'it says that an invented token is active', cure: 'correct TESSERA_INTROSPECTION_URL' }
    },
    (error) => {
      if (error instanceof GraphQLError && error.extensions.code === 'UNAUTHENTICATED') return {}
      const cause = error instanceof GraphQLError ? error.originalError : error
      return {
        said: cause instanceof Error ? cause.message : 'it failed',
        cure: 'make sure that TESSERA_INTROSPECTION_URL can be reached from here, and that it accepts TESSERA_INTROSPECTION_CLIENT_ID with its secret or key (401 and 403 mean that it does not)',
      }
    },
  ).finally(() => introspection.close())
}
