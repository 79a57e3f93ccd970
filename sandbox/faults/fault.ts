/** What a fault is: the way in which the answers to some calls are to fail. */

export type FaultKind =
  | 'status'
  | 'hang'
  | 'reset'
  | 'slow'
  | 'garbage'
  | 'truncated'
  | 'wrong-type'
  | 'redirect'
  | 'huge'
  | 'gzip-bomb'
  | 'late'
  | 'lost-answer'

export const faultKinds: readonly FaultKind[] = [
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
]

export interface Fault {
  readonly kind: FaultKind
  /** The calls that it applies to: of a service, of an operation, or all. */
  readonly service?: string | undefined
  readonly operation?: string | undefined
  /** How many calls; 1 by default. */
  readonly times?: number | undefined
  /** Milliseconds after which it is removed, applied or not; by default it stays until it is applied. */
  readonly withinMs?: number | undefined
  /** Of `status`. */
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  /** Milliseconds: `late` waits before the whole answer, `slow` before each byte. */
  readonly delayMs?: number | undefined
  /** Of `redirect`. */
  readonly location?: string | undefined
  /** Of `huge` and `gzip-bomb`: bytes of the body, unpacked; 200 MiB by default. */
  readonly bytes?: number | undefined
}

/** Reads a fault from JSON; the error says what was expected. */
export function faultFrom(value: unknown): Fault {
  const fault = value as Partial<Fault> | null
  if (typeof fault !== 'object' || fault === null || !faultKinds.includes(fault.kind as FaultKind)) {
    throw new Error(`a fault needs a kind: one of ${faultKinds.join(', ')}`)
  }
  return fault as Fault
}

/** Whether the service performs the call before its answer fails. */
export function isAfterWork({ kind }: Fault): boolean {
  return kind === 'lost-answer' || kind === 'late' || kind === 'slow' || kind === 'truncated'
}
