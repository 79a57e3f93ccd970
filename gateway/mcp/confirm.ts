/**
 * Confirmations of changes: what the first call of a change returns, sealed. A confirmation belongs to one caller, one
 * operation and its variables, and is valid for ten minutes. It contains the idempotency key of the change, so the
 * change is made once, however often the confirmation is used. Nothing is stored, so any replica with the same secret
 * accepts it.
 */
import { hash, randomUUID } from 'node:crypto'
import { canonicalJson } from '../../shared/json/canonical-json.ts'
import { createSeal } from './seal.ts'

export interface Change {
  readonly caller: string
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

export type Confirmations = ReturnType<typeof createConfirmations>

const seconds = 600
const mostCharacters = 1_000

export function createConfirmations(secret: string) {
  const seal = createSeal(secret, 'confirmation', mostCharacters)
  return {
    make: (change: Change): Promise<string> =>
      seal.write({ about: aboutOf(change), key: randomUUID() }, seconds),
    /** The idempotency key; undefined if another party made it, or if it is too old or about another change. */
    async keyIn(confirmation: string, change: Change): Promise<string | undefined> {
      const content = await seal.read(confirmation)
      return content?.about === aboutOf(change) && typeof content.key === 'string' ? content.key : undefined
    },
  }
}

/** Equal for equal changes, in whatever order their variables are written. */
const aboutOf = ({ caller, query, variables }: Change): string =>
  hash('sha256', JSON.stringify([caller, query, canonicalJson(variables)]), 'base64url')
