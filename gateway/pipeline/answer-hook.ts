/** The last stage of hooks: the answer as objects for them, and what they change of it as the executor makes it. */
import { stringifyRaw } from '../../shared/json/raw.ts'
import type { Operation } from '../auth/operation.ts'
import {
  graphqlErrorOf,
  type HookOperation,
  HookRefusal,
  type HookState,
  type Stages,
} from '../hooks/index.ts'
import type { Logger } from '../telemetry/log.ts'
import { maskError } from './mask.ts'
import type { OperationRequest, Result } from './operation-request.ts'
import { addHead, type RequestState } from './request-state.ts'
import { dataOf } from './result-data.ts'

export function hookOperation({ name, definition, hash, text }: Operation): HookOperation {
  return { name, type: definition.operation, hash, text }
}

export interface AnswerParts<Data> {
  readonly hooked: HookState
  readonly result: Result<Data>
  readonly state: Pick<RequestState, 'identity' | 'operation' | 'traceId' | 'head'>
  readonly request: Pick<OperationRequest, 'id'>
  /** The HTTP status of the result. */
  readonly status: number
  readonly log: Logger
}

/** The result with what hooks changed. If one fails, an error instead of the whole. */
export async function answerHook<Data>(
  run: NonNullable<Stages['answer']>,
  { hooked, result, state, request, status, log }: AnswerParts<Data>,
): Promise<Result<Data>> {
  const { data, errors, extensions } = result
  let read: { readonly value: ReturnType<typeof dataOf> | undefined } | undefined
  try {
    const changed = await run(hooked, {
      identity: state.identity,
      operation: state.operation && hookOperation(state.operation),
      status,
      data() {
        read ??= { value: data === undefined ? undefined : dataOf(data) }
        return read.value
      },
      errors: errors?.map(({ message, path, extensions }) => ({ message, path, extensions })),
      extensions,
    })
    if (changed === undefined) return result
    if (changed instanceof HookRefusal) {
      addHead(state, ...changed.head)
      return { errors: [changed.error] }
    }
    addHead(state, ...changed.head)
    const newErrors = changed.errors === undefined ? errors : changed.errors.map(graphqlErrorOf)
    return {
      ...(data === undefined
        ? {}
        : { data: changed.data === undefined || data === null ? data : inFormOf(data, changed.data) }),
      ...(newErrors === undefined || newErrors.length === 0 ? {} : { errors: newErrors }),
      ...((changed.extensions ?? extensions) === undefined
        ? {}
        : { extensions: changed.extensions ?? extensions }),
    }
  } catch (error) {
    return { errors: [maskError(error, request.id, log, state.traceId)] }
  }
}

/** JSON if the executor makes JSON, else objects. */
function inFormOf<Data>(data: Data, value: Readonly<Record<string, unknown>>): Data {
  const isJson = typeof data === 'string' || Array.isArray(data)
  return (isJson ? stringifyRaw(value) : value) as Data
}
