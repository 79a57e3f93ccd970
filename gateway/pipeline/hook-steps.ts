/**
 * Turns the operator's hooks into steps. Each hook runs before or after a step that it names, and later steps see its
 * changes.
 */
import { HookRefusal, type Stages } from '../hooks/index.ts'
import { answerHook, hookOperation } from './answer-hook.ts'
import type { OperationContext } from './operation-context.ts'
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
