/**
 * Each acknowledged write exists once, each refused one never, and each unknown one at most once. One key has one
 * response.
 */
import type { Attempt, History, WriteKind } from '../record.ts'

/** Repeating it changes nothing. */
const repeatable: ReadonlySet<WriteKind> = new Set(['like'])

const writeKinds: ReadonlySet<string> = new Set<WriteKind>(['comment', 'intent', 'like', 'upload', 'delete'])

export function* wrongWrites({ attempts, outcomes }: History): Generator<string> {
  const made = new Map<string, number>()
  for (const { kind, effect } of outcomes) {
    const name = `${kind} ${effect}`
    made.set(name, (made.get(name) ?? 0) + 1)
  }
  for (const [name, own] of grouped(attempts, ({ kind, effect }) =>
    writeKinds.has(kind) ? `${kind} ${effect}` : undefined,
  )) {
    const times = made.get(name) ?? 0
    made.delete(name)
    const endings = new Set(own.map(({ ending }) => ending))
    const isRepeatable = repeatable.has(own[0]?.kind as WriteKind)
    if (endings.has('done')) {
      if (times === 0) yield `${name} was acknowledged, and is not there`
      else if (times > 1 && !isRepeatable) yield `${name} was acknowledged, and is there ${times} times`
    } else if (endings.has('unknown')) {
      if (times > 1 && !isRepeatable) yield `${name} is of unknown outcome, and is there ${times} times`
    } else if (times > 0) yield `${name} was refused each time, and is there ${times} times`
  }
  for (const [name, times] of made) yield `${name} was not asked for, and is there ${times} times`
}

export function* differingAnswers({ attempts }: History): Generator<string> {
  for (const [key, own] of grouped(attempts, ({ key, ending }) => (ending === 'done' ? key : undefined))) {
    const answers = new Set(own.map(({ answer }) => answer))
    if (answers.size > 1) yield `${key} was answered in ${answers.size} ways: ${[...answers].join(' | ')}`
  }
}

/** Codes that no client and no fault here may cause. */
const ofDefects: ReadonlySet<string> = new Set([
  'BAD_REQUEST',
  'IDEMPOTENCY_KEY_REUSED',
  'INTERNAL_SERVER_ERROR',
  'UNAUTHENTICATED',
  'UNAUTHORIZED_FIELD_OR_TYPE',
])

export function* defects({ attempts }: History): Generator<string> {
  for (const { effect, codes } of attempts)
    for (const code of codes) if (ofDefects.has(code)) yield `${effect} was answered with ${code}`
}

export function grouped(
  attempts: readonly Attempt[],
  by: (attempt: Attempt) => string | undefined,
): Map<string, Attempt[]> {
  const groups = new Map<string, Attempt[]>()
  for (const attempt of attempts) {
    const name = by(attempt)
    if (name === undefined) continue
    const own = groups.get(name)
    if (own === undefined) groups.set(name, [attempt])
    else own.push(attempt)
  }
  return groups
}
