/** Faults of an expression, with line and column as Prometheus reports them. */
import { BadData } from '../errors.ts'

/** `line:column` of a position, both counted from 1. */
export function lineAndColumn(input: string, position: number): string {
  const before = input.slice(0, position)
  return `${before.split('\n').length}:${position - before.lastIndexOf('\n')}`
}

export function parseError(input: string, position: number, problem: string): BadData {
  return new BadData(`${lineAndColumn(input, position)}: parse error: ${problem}`)
}
