/** The control routes: faults and reset over HTTP, for tests whose sandbox runs in another process. */
import { type Faults, faultFrom } from '../faults/index.ts'
import type { StandInAnswer } from '../stand-in.ts'
import type { Records } from './records.ts'

export interface ControlOptions {
  readonly faults: Faults
  readonly records: Records
  readonly reset: () => void
}

export const controlPrefix = '/__control/'

export function createControl({ faults, records, reset }: ControlOptions) {
  return (path: string, body: string): StandInAnswer => {
    switch (path.slice(controlPrefix.length)) {
      case 'faults':
        try {
          faults.add(faultFrom(JSON.parse(body)))
        } catch (error) {
          return { status: 400, body: { error: error instanceof Error ? error.message : String(error) } }
        }
        return { status: 204 }
      case 'reset':
        reset()
        return { status: 204 }
      case 'ledger':
        return { status: 200, body: { ...records.ledger, writes: records.writes } }
      default: {
        const error = 'expected /__control/faults, /__control/reset or /__control/ledger'
        return { status: 404, body: { error } }
      }
    }
  }
}
