/**
 * Whether this process runs without what stands in this folder. It is decided once, by the command line or by a test's
 * setup, before anything else runs: these functions lie below every option that could be handed to them.
 */

let plain = false

/** From now on the functions of this folder take their plain ways. */
export function runPlainly(): void {
  plain = true
}

export function runsPlainly(): boolean {
  return plain
}
