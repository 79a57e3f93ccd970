/** The last stage of hooks. They receive the answer as objects; their changes are written back in the executor's form. */
import { stringifyRaw } from '../../shared/json/raw.ts'
import type { Operation } from '../auth/granted-operation.ts'
import { graphqlErrorOf, type Hooked, type HookOperation, HookRefusal, type Stages } from '../hooks/index.ts'
import type { Logger } from '../telemetry/log.ts'
import { dataOf } from './executors.ts'
import { maskError } from './mask.ts'
import type { OperationContext } from './operation-context.ts'
import type { Result } from './operation-request.ts'

export function hookOperation({ name, normalised, hash, text }: Operation): HookOperation {
  return { name, type: normalised.kind, hash, text }
}

interface AnswerParts<Data> {
  readonly hooked: Hooked
  readonly result: Result<Data>
  readonly about: Pick<OperationContext, 'id' | 'identity' | 'operation' | 'traceId'>
  readonly status: number
  /** Gets the headers of the answer, names and values in turn. */
  readonly addHead?: ((headers: readonly string[]) => void) | undefined
  readonly log: Logger
}

/** The result with the hooks' changes. If a hook fails, an error replaces the whole result. */
export async function answerHook<Data>(
  run: NonNullable<Stages['answer']>,
  { hooked, result, about, status, addHead, log }: AnswerParts<Data>,
): Promise<Result<Data>> {
  const { data, errors, extensions } = result
  let read: { readonly value: ReturnType<typeof dataOf> | undefined } | undefined
  try {
    const changed = await run(hooked, {
      identity: about.identity,
      operation: about.operation && hookOperation(about.operation),
      status,
      data() {
        read ??= { value: data === undefined ? undefined : dataOf(data) }
        return read.value
      },
      errors: errors?.map(({ message, path, extensions }) => ({ message, path, extensions })),
      extensions,
    })
    if (changed === undefined) return result
    addHead?.(changed.head)
    if (changed instanceof HookRefusal) return { errors: [changed.error] }
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
    return { errors: [maskError(error, about.id, log, about.traceId)] }
  }
}

/** JSON if the executor makes JSON, else objects. */
function inFormOf<Data>(data: Data, value: Readonly<Record<string, unknown>>): Data {
  const isJson = typeof data === 'string' || Array.isArray(data)
  return (isJson ? stringifyRaw(value) : value) as Data
}
