/** The text of the document: as it was sent, or by its hash. From here on the time of the operation runs. */
import { whenReady } from '../../../shared/runtime/is-promise.ts'
import type { OperationContext } from '../operation-context.ts'
import type { PipelineComponents, Step } from '../step.ts'

export const readDocument = {
  name: 'readDocument',
  run(
    context: OperationContext,
    { documents, timeoutMs, onError }: Pick<PipelineComponents, 'documents' | 'timeoutMs' | 'onError'>,
  ) {
    const params = context.sent.params()
    context.params = params
    if (params.variables !== undefined) context.variables = params.variables
    context.onError = params.onError ?? onError ?? context.onError
    const text = documents.read(params)
    context.deadline = performance.now() + timeoutMs
    return whenReady(text, (found) => {
      context.text = found
      return undefined
    })
  },
} satisfies Step
