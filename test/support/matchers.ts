/** Matchers of our own. Importing this file makes them known to `expect`. */
import { expect } from 'vitest'
import { type Plan, printPlan } from '../../engine/planner/index.ts'

/** Without the indentation that all lines share, and without empty lines. */
function dedent(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const margin = Math.min(...lines.map((line) => line.length - line.trimStart().length))
  return lines.map((line) => line.slice(margin).trimEnd()).join('\n')
}

expect.extend({
  /** The plan, as `printPlan` prints it; the text may be indented as the code around it is. */
  toHavePlan(received: Plan, text: string) {
    const actual = printPlan(received)
    const expected = dedent(text)
    return {
      pass: actual === expected,
      message: () => `The plan is${this.isNot ? '' : ' not'} as expected.`,
      actual,
      expected,
    }
  },
})

declare module 'vitest' {
  // The parameters of the declaration that this one joins; without them it would be another.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    toHavePlan(text: string): R & (T extends never ? never : R)
  }
}
