/** What is fuzzed: one function that reads what somebody else wrote. */

export interface Target {
  readonly name: string
  /** The module that exports it in its list `targets`: a thread of its own loads it from there. */
  readonly module: string
  /** Files and folders of the repository whose coverage guides the search, and whose literals it takes words from. */
  readonly covers: readonly string[]
  /** Inputs that are read without an error, from which the search begins. */
  readonly seeds: readonly (string | Uint8Array)[]
  /** What inputs are made of beside the literals of the source, if that is not in the seeds. */
  readonly words?: readonly string[]
  /** No longer input is tried, in bytes. */
  readonly longest?: number
  /** How many executions the tests have time for, if it is slow. */
  readonly smoke?: number
  /** Whether the function is meant to throw this; nothing by default. */
  readonly allows?: (error: unknown) => boolean
  /** Throws, or rejects, if the function does; and a `Broken` if what it returned is wrong. */
  run(input: Buffer): unknown
  /** Ends what the first run has started. */
  close?(): Promise<void>
}

/** The targets of one module. */
export function targetsOf(module: string, targets: readonly Omit<Target, 'module'>[]): readonly Target[] {
  return targets.map((target) => ({ ...target, module }))
}

/** What a function returned breaks a rule of its own, such as that what is printed can be read again. */
export class Broken extends Error {
  override name = 'Broken'
  readonly rule: string

  constructor(rule: string, found?: unknown) {
    super(found === undefined ? rule : `${rule}: ${printed(found)}`)
    this.rule = rule
  }
}

/** Throws `Broken` unless both are the same as JSON. */
export function same(left: unknown, right: unknown, rule: string): void {
  if (JSON.stringify(left) !== JSON.stringify(right)) throw new Broken(rule, [left, right])
}

const printed = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 400)
