/**
 * Which operations are shared, and the keys by which equal ones are found. An operation is shared if the headers of its
 * caller on which its answers can depend are known for every subgraph of its plan.
 */
import { eachFetch } from '../../../engine/planner/index.ts'
import type { GatewayRequest } from '../../../engine/request.ts'
import { headerPart } from '../../../engine/subgraphs/index.ts'
import { memoByObject } from '../../../shared/runtime/memo.ts'
import type { GrantedOperation } from '../../auth/granted-operation.ts'

/**
 * The headers of the caller, in lower case, on which the answers of a subgraph can depend; undefined if its answers are
 * not to be shared.
 */
export type CallerHeaders = (subgraph: string) => readonly string[] | undefined

interface Sharing {
  /** What the keys of its queries begin with. */
  readonly name: string
  /** The headers of the caller on which its answers depend; undefined if they are not shared. */
  readonly headers: readonly string[] | undefined
}

/** Finds out once for each granted operation whether it is shared. */
export function createSharing(callerHeaders: CallerHeaders): (granted: GrantedOperation) => Sharing {
  let count = 0
  return memoByObject((granted) => {
    count += 1
    return { name: `${count}`, headers: headersOf(granted, callerHeaders) }
  })
}

function headersOf(
  { compiled }: GrantedOperation,
  callerHeaders: CallerHeaders,
): readonly string[] | undefined {
  const headers = new Set<string>()
  let isKnown = true
  try {
    eachFetch(compiled.plan(), ({ operation }) => {
      const own = callerHeaders(operation.service)
      if (own === undefined) isKnown = false
      else for (const header of own) headers.add(header)
    })
  } catch {
    // There is no plan: executing says why.
    return undefined
  }
  return isKnown ? [...headers] : undefined
}

/** Equal for equal queries. */
export function keyOf(
  name: string,
  headers: readonly string[],
  variables: Readonly<Record<string, unknown>>,
  request: GatewayRequest,
): string {
  const { onError } = request
  let key = name + (onError === 'PROPAGATE' ? '' : onError) + JSON.stringify(variables)
  for (const header of headers) key += headerPart(request.header(header))
  return key
}
