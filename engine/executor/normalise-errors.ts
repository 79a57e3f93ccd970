/**
 * Prepares the merged data and errors for the response: absent nodes become null, errors get paths that the client
 * knows, and equal errors are listed once.
 */
import type { ResponseShape } from '../response/index.ts'
import { removeAbsentNodes } from './absent-nodes.ts'
import { errorAt } from './error-list.ts'
import type { Execution } from './execution.ts'

export function normaliseErrors(
  execution: Execution,
  shape: ResponseShape,
  nodeFields: ReadonlySet<string>,
): void {
  if (execution.absent !== undefined) removeAbsentNodes(execution, nodeFields)
  if (execution.errors.isEmpty) return
  const seen = new Set<string>()
  const visible = execution.errors.listed.flatMap((error) => {
    if (error.path === undefined) return [error]
    const path = shape.visiblePath(error.path)
    const known = JSON.stringify([path, error.message])
    if (seen.has(known)) return []
    seen.add(known)
    return [path.length === error.path.length ? error : errorAt(error, path)]
  })
  execution.errors.replace(visible)
}
