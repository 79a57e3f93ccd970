/**
 * Turns the operator's hooks into steps. Each hook runs before or after a step that it names, and later steps see its
 * changes. Hooks of the answer receive it as objects; their changes are written back in the executor's form.
 */
import { stringifyRaw } from '../../shared/json/raw.ts'
import type { Operation } from '../auth/granted-operation.ts'
import { graphqlErrorOf, type Hooked, type HookOperation, HookRefusal, type Stages } from '../hooks/index.ts'
import type { Logger } from '../telemetry/log.ts'
import { dataOf } from './executors.ts'
import { maskError } from './mask.ts'
import type { OperationContext } from './operation-context.ts'
import type { Result } from './operation-request.ts'
import { known, type Step, type StepResult } from './step.ts'
import { checkVariables } from './steps/check-variables.ts'

interface HookStep extends Step {
  readonly before?: string
  readonly after?: string
}

export function withHooks(steps: readonly Step[], hooks: Stages | undefined): readonly Step[] {
  if (hooks === undefined) return steps
  const own = hookSteps(hooks)
  return steps.flatMap((step) => [
    ...own.filter(({ before }) => before === step.name),
    step,
    ...own.filter(({ after }) => after === step.name),
  ])
}

function hookSteps(hooks: Stages): readonly HookStep[] {
  const { request, identity, operation, labels, answer } = hooks
  const steps: (HookStep | false | undefined)[] = [
    request && {
      name: 'hook request',
      before: 'authenticate',
      run: async (context) => refusedBy(context, await request(context)),
    },
    identity && {
      name: 'hook identity',
      after: 'authenticate',
      async run(context) {
        const seen = await identity(context, known(context.identity))
        if (seen instanceof HookRefusal) return refusedBy(context, seen)
        context.identity = seen
        return undefined
      },
    },
    operation && {
      name: 'hook operation',
      after: 'checkVariables',
      async run(context, components) {
        const { variables } = context
        const seen = await operation(context, {
          identity: known(context.identity),
          operation: hookOperation(known(context.operation)),
          variables,
        })
        if (seen instanceof HookRefusal) return refusedBy(context, seen)
        if (seen === variables) return undefined
        context.variables = seen
        return checkVariables.run(context, components)
      },
    },
    {
      name: 'hooks of subgraphs',
      before: 'limit',
      run(context) {
        hooks.attach(context, context)
        return undefined
      },
    },
    labels && {
      name: 'hook labels',
      before: 'limit',
      async run(context) {
        await labels(context, context)
        return undefined
      },
    },
    answer && {
      name: 'hook answer',
      before: 'report',
      always: true,
      async run(context, { log, statusFor }) {
        if (context.hasBegun || context.result === undefined) return undefined
        return answerHook(answer, {
          hooked: context,
          result: context.result,
          about: context,
          status: statusFor(context.result, context.sent.mediaType),
          addHead: (headers) => context.addHead(headers),
          log,
        })
      },
    },
  ]
  return steps.filter((step) => step !== undefined && step !== false)
}

function refusedBy(context: OperationContext, refusal: HookRefusal | undefined): StepResult {
  if (refusal === undefined) return undefined
  context.addHead(refusal.head)
  return { errors: [refusal.error] }
}

function hookOperation({ name, normalised, hash, text }: Operation): HookOperation {
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
