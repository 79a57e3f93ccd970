/**
 * Which fields have moved to the subgraph that overrides them, if `@override` has a label. `percent(N)` moves them
 * for N of a hundred requests: by a draw that is the same throughout a request. Every other label is for the
 * configuration to decide; an unknown label moves nothing.
 */
import { hash } from 'node:crypto'
import type { DecideLabel } from '../planner/index.ts'
import type { GatewayRequest } from '../request.ts'

/** Whether the fields under a label are taken from the subgraph that overrides them. */
export type OverrideLabels = (label: string, request: GatewayRequest) => boolean

const percentLabel = /^percent\((\d+(?:\.\d+)?)\)$/

/** The share of requests that a label moves; undefined for a label of another kind. */
export function percentOf(label: string): number | undefined {
  const [, number] = percentLabel.exec(label) ?? []
  return number === undefined ? undefined : Number(number)
}

/** A number from 0 to below 100 that a request has for a label, the same whenever it is asked. */
export function drawOf(label: string, requestId: string): number {
  return (Number.parseInt(hash('sha256', `${requestId} ${label}`).slice(0, 8), 16) / 2 ** 32) * 100
}

export function decideLabels(
  request: GatewayRequest,
  overrideLabels: OverrideLabels | undefined,
): DecideLabel {
  return (label) => {
    const percent = percentOf(label)
    if (percent !== undefined) return drawOf(label, request.id) < percent
    return overrideLabels?.(label, request) === true
  }
}
