/** Answers to an operation, held against each other as JSON. */
import type { Candidate } from './candidates.ts'
import { bodyOf, type Operation } from './operations.ts'

export async function ask(candidate: Candidate, operation: Operation, index: number): Promise<string> {
  const response = await fetch(candidate.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...candidate.headers },
    body: bodyOf(operation, index),
    signal: AbortSignal.timeout(30_000),
  })
  return response.text()
}

/** The data of an answer, in one order whatever the order of its members; else what is wrong with it. */
export function dataOf(text: string): string {
  let answer: { data?: unknown; errors?: unknown }
  try {
    answer = JSON.parse(text)
  } catch {
    return `no JSON: ${text.slice(0, 300)}`
  }
  if (answer.errors !== undefined) return `errors: ${JSON.stringify(answer.errors).slice(0, 600)}`
  return JSON.stringify(canonical(answer.data))
}

/** The same JSON whatever the order of its members: peers write them as they like. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, canonical(member)]),
  )
}
