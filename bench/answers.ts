/** Compares responses to an operation as JSON. */
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

/** The data of a response with sorted members, or a description of what is wrong with it. */
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

/** The same JSON with sorted members, because candidates write them in different orders. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, canonical(member)]),
  )
}
