/**
 * Relay's way to the graph. An answer with data is handed over whole, so that a refused or failing field is
 * null and the rest is shown; an answer without any is an `OperationError` that keeps every error's code.
 */
import {
  Environment,
  type GraphQLResponse,
  Network,
  RecordSource,
  type RequestParameters,
  Store,
  type Variables,
} from 'relay-runtime'

export interface AnswerError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions?: Readonly<Record<string, unknown>>
}

export class OperationError extends Error {
  override readonly name = 'OperationError'
  readonly errors: readonly AnswerError[]

  constructor(errors: readonly AnswerError[]) {
    super(errors.map(({ message }) => message).join(' '))
    this.errors = errors
  }
}

export interface Session {
  /** From `npm run tessera -- token`, or from your identity provider. */
  token: string
  /** Hears of errors beside data: Relay's fragments do not carry them. */
  onErrors(operation: string, errors: readonly AnswerError[]): void
  /** Hears what each answer cost in quota units. */
  onSpent?(units: number): void
}

/** Whether an error is of a list or of something above it, and not of one of its items. */
const isAboveItems = ({ path = [] }: AnswerError): boolean => path.every((step) => typeof step === 'string')

/** So often a change is sent whose answer is lost. */
const mostTries = 3

export function createEnvironment(url: string, session: Session): Environment {
  /** A change whose answer was lost is sent again under the same key: the gateway makes it once. */
  async function askOnce(parameters: RequestParameters, variables: Variables): Promise<GraphQLResponse> {
    if (parameters.operationKind !== 'mutation') return ask(parameters, variables, {})
    const headers = { 'idempotency-key': `"${crypto.randomUUID()}"` }
    for (let tries = 1; ; tries++) {
      try {
        return await ask(parameters, variables, headers)
      } catch (error) {
        // What `fetch` rejects with where no answer came.
        if (!(error instanceof TypeError) || tries === mostTries) throw error
        await new Promise((resolve) => setTimeout(resolve, 300 * tries))
      }
    }
  }

  async function ask(
    { text, name }: RequestParameters,
    variables: Variables,
    headers: Readonly<Record<string, string>>,
  ): Promise<GraphQLResponse> {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json',
        'tessera-quota': '1',
        ...(session.token === '' ? {} : { authorization: `Bearer ${session.token}` }),
        ...headers,
      },
      body: JSON.stringify({ query: text, operationName: name, variables }),
    })
    const answer = (await response.json()) as {
      data?: object | null
      errors?: readonly AnswerError[]
      extensions?: { quota?: { spent: number } }
    }
    const { data, errors = [], extensions } = answer
    session.onSpent?.(extensions?.quota?.spent ?? 0)
    // Relay would replace the pages that it has by the null of a further one, and tells nobody why a page was rejected.
    if (typeof variables.cursor === 'string' && errors.some(isAboveItems)) {
      session.onErrors(name, errors)
      throw new OperationError(errors)
    }
    // Root fields are nullable, so that one that fails leaves the others; if all are null nothing came.
    const isEmpty = !data || (errors.length > 0 && Object.values(data).every((value) => value === null))
    if (isEmpty) throw new OperationError(errors)
    if (errors.length > 0) session.onErrors(name, errors)
    return answer as GraphQLResponse
  }

  return new Environment({ network: Network.create(askOnce), store: new Store(new RecordSource()) })
}
