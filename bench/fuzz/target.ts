/** A target of the fuzzer: one function that reads untrusted data. */

export interface Target {
  readonly name: string
  /** The module that exports it in its list `targets`. Its own thread loads it from there. */
  readonly module: string
  /** Files and folders of the repository whose coverage guides the search, and whose literals are used as words. */
  readonly covers: readonly string[]
  /** Valid inputs, with which the search begins. */
  readonly seeds: readonly (string | Uint8Array)[]
  /** Further words for inputs, if neither the source nor the seeds have them. */
  readonly words?: readonly string[]
  /** The longest input in bytes. */
  readonly longest?: number
  /** How many executions the tests have time for, if it is slow. */
  readonly smoke?: number
  /** Whether the function is meant to throw this error; no error by default. */
  readonly allows?: (error: unknown) => boolean
  /** Throws or rejects if the function does, and throws a `Broken` if its result is wrong. */
  run(input: Buffer): unknown
  /** Ends what the first run has started. */
  close?(): Promise<void>
}

/** The targets of one module. */
export function targetsOf(module: string, targets: readonly Omit<Target, 'module'>[]): readonly Target[] {
  return targets.map((target) => ({ ...target, module }))
}

/** The result of a function breaks a rule, such as that printed text can be read again. */
export class Broken extends Error {
  override name = 'Broken'
  readonly rule: string

  constructor(rule: string, found?: unknown) {
    super(found === undefined ? rule : `${rule}: ${printed(found)}`)
    this.rule = rule
  }
}

/** Throws `Broken` unless both are equal as JSON. */
export function same(left: unknown, right: unknown, rule: string): void {
  if (JSON.stringify(left) !== JSON.stringify(right)) throw new Broken(rule, [left, right])
}

const printed = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 400)
