/** The control routes: faults, changes and reset over HTTP, for tests whose sandbox runs in another process. */
import { type Faults, faultFrom } from '../faults.ts'
import type { StandInAnswer } from '../stand-in.ts'
import type { Records } from './records.ts'

interface ControlOptions {
  readonly faults: Faults
  readonly records: Records
  readonly change: (service: string, change: Readonly<Record<string, unknown>>) => void
  readonly reset: () => void
}

export const controlPrefix = '/__control/'

export function createControl({ faults, records, change, reset }: ControlOptions) {
  const taken = (take: () => void): StandInAnswer => {
    try {
      take()
    } catch (error) {
      return { status: 400, body: { error: error instanceof Error ? error.message : String(error) } }
    }
    return { status: 204 }
  }

  return (path: string, body: string): StandInAnswer => {
    switch (path.slice(controlPrefix.length)) {
      case 'faults':
        return taken(() => faults.add(faultFrom(JSON.parse(body))))
      case 'change':
        return taken(() => {
          const { service, ...what } = JSON.parse(body) as Readonly<Record<string, unknown>>
          change(String(service), what)
        })
      case 'reset':
        reset()
        return { status: 204 }
      case 'ledger':
        return { status: 200, body: { ...records.ledger, writes: records.writes } }
      default: {
        const error = 'expected /__control/faults, /__control/change, /__control/reset or /__control/ledger'
        return { status: 404, body: { error } }
      }
    }
  }
}
