/**
 * Decides progressive `@override`. The label `percent(N)` moves its fields for N of a hundred requests; the draw is
 * the same throughout a request. The configuration decides every other label, and an unknown label moves nothing.
 */
import { hash } from 'node:crypto'
import type { DecideLabel } from '../planner/index.ts'
import type { GatewayRequest } from '../request.ts'

/** Whether a label moves its fields to the subgraph that overrides them. */
export type OverrideLabels = (label: string, request: GatewayRequest) => boolean

const percentLabel = /^percent\((\d+(?:\.\d+)?)\)$/

/** The percentage of requests that a label moves. Undefined for a label of another form. */
export function percentOf(label: string): number | undefined {
  const [, number] = percentLabel.exec(label) ?? []
  return number === undefined ? undefined : Number(number)
}

/** A number from 0 to below 100, always the same for a request and a label. */
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
