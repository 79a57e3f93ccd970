/** A fault, which is a way in which responses to some calls fail, and the script of those to come. */

export const faultKinds = [
  'status',
  'hang',
  'reset',
  'slow',
  'garbage',
  'truncated',
  'wrong-type',
  'redirect',
  'huge',
  'gzip-bomb',
  'late',
  'lost-answer',
] as const
export type FaultKind = (typeof faultKinds)[number]

export interface Fault {
  readonly kind: FaultKind
  /** The calls to which it applies: those of a service, of an operation, or all. */
  readonly service?: string | undefined
  readonly operation?: string | undefined
  /** To how many calls it applies. The default is 1. */
  readonly times?: number | undefined
  /** After so many milliseconds it is removed, applied or not. By default it stays until it is applied. */
  readonly withinMs?: number | undefined
  /** For `status`. */
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  /** In milliseconds. `late` waits before the whole response, and `slow` before each byte. */
  readonly delayMs?: number | undefined
  /** For `redirect`. */
  readonly location?: string | undefined
  /** For `huge` and `gzip-bomb`: the unpacked bytes of the body. The default is 200 MiB. */
  readonly bytes?: number | undefined
}

/** Reads a fault from JSON. The error says what was expected. */
export function faultFrom(value: unknown): Fault {
  const fault = value as Partial<Fault> | null
  if (typeof fault !== 'object' || fault === null || !faultKinds.includes(fault.kind as FaultKind)) {
    throw new Error(`a fault needs a kind: one of ${faultKinds.join(', ')}`)
  }
  return fault as Fault
}

/** Whether the service performs the call before its response fails. */
export function isAfterWork({ kind }: Fault): boolean {
  return ['lost-answer', 'late', 'slow', 'truncated'].includes(kind)
}

interface Scripted {
  readonly fault: Fault
  left: number
  readonly until: number
}

/** The scripted faults that are not applied yet. Without any, every call succeeds. */
export class Faults {
  #scripted: Scripted[] = []

  add(fault: Fault): void {
    const { times: left = 1, withinMs = Number.POSITIVE_INFINITY } = fault
    if (left > 0) this.#scripted.push({ fault, left, until: performance.now() + withinMs })
  }

  /** The fault for this call; undefined if there is none. Its count is lowered. */
  take(service: string, operation: string): Fault | undefined {
    if (this.#scripted.length === 0) return undefined
    const now = performance.now()
    const found = this.#scripted.find(
      ({ fault, until }) =>
        until >= now &&
        (fault.service ?? service) === service &&
        (fault.operation ?? operation) === operation,
    )
    if (found !== undefined) found.left -= 1
    // Expired faults are removed, because a run of hours has many.
    this.#scripted = this.#scripted.filter(({ left, until }) => left > 0 && until >= now)
    return found?.fault
  }

  clear(): void {
    this.#scripted = []
  }
}
