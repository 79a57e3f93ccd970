/** Lists and nesting in variables and in literals. Each check is bounded: it never walks further than the limit. */
import { type DocumentNode, type GraphQLError, Kind } from 'graphql'
import { badInput } from '../../../shared/errors.ts'
import { type Limits, tooLarge } from './limits.ts'

/**
 * The first list in the value that is longer than the limit, or that the value nests deeper than the limit; or a number
 * that no double holds (`Infinity`).
 */
export function checkValue(
  value: unknown,
  limits: Pick<Limits, 'nesting' | 'listItems'>,
  depth = 1,
): GraphQLError | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return badInput(largeNumber)
  if (value === null || typeof value !== 'object') return undefined
  if (depth > limits.nesting)
    return tooLarge('variables with too many levels', limits.nesting, depth, 'nesting')
  if (Array.isArray(value)) {
    if (value.length > limits.listItems) {
      return tooLarge('a list that is too long', limits.listItems, value.length, 'listItems')
    }
    for (const item of value) {
      const error = checkValue(item, limits, depth + 1)
      if (error !== undefined) return error
    }
    return undefined
  }
  for (const key in value) {
    const error = checkValue((value as Record<string, unknown>)[key], limits, depth + 1)
    if (error !== undefined) return error
  }
  return undefined
}

const largeNumber =
  'A number in the variables does not fit into a double: send it as a string, or write it into the document.'

/** The first list written in the document that is longer than the limit. */
export function checkLiterals(document: DocumentNode, limits: Limits): GraphQLError | undefined {
  const stack: unknown[] = [document]
  while (stack.length > 0) {
    const node = stack.pop()
    if (node === undefined || node === null || typeof node !== 'object') continue
    if (Array.isArray(node)) {
      for (const each of node) stack.push(each)
      continue
    }
    const { kind, values } = node as { kind?: unknown; values?: readonly unknown[] }
    if (kind === Kind.LIST && values !== undefined && values.length > limits.listItems) {
      return tooLarge('a list that is too long', limits.listItems, values.length, 'listItems')
    }
    for (const key in node) if (key !== 'loc') stack.push((node as Record<string, unknown>)[key])
  }
  return undefined
}
