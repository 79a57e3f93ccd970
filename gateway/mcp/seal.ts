/**
 * Sealed texts: data that a client receives and sends back, encrypted with a secret of the gateway. The gateway stores
 * nothing for them, and every replica that has the same secret accepts them.
 */
import { hash, randomUUID } from 'node:crypto'
import { EncryptJWT, type JWTPayload, jwtDecrypt } from 'jose'
import { canonicalJson } from '../../shared/json/canonical-json.ts'

export type Seal = ReturnType<typeof createSeal>

const encryption = { alg: 'dir', enc: 'A256GCM' } as const

/** A text that was sealed for one `purpose` cannot be read for another. */
export function createSeal(secret: string, purpose: string, mostCharacters: number) {
  const key = Buffer.from(hash('sha256', `tessera ${purpose} ${secret}`, 'hex'), 'hex')
  return {
    write: (content: JWTPayload, seconds: number): Promise<string> =>
      new EncryptJWT(content).setProtectedHeader(encryption).setExpirationTime(`${seconds}s`).encrypt(key),
    /** Undefined if it was not written with this secret for this purpose, or has expired. */
    async read(text: string): Promise<JWTPayload | undefined> {
      if (text.length > mostCharacters) return undefined
      try {
        const { payload } = await jwtDecrypt(text, key, {
          keyManagementAlgorithms: [encryption.alg],
          contentEncryptionAlgorithms: [encryption.enc],
        })
        return payload
      } catch {
        return undefined
      }
    },
  }
}

/**
 * A confirmation of a change, which its first call returns. It belongs to one caller, one operation and its variables. It
 * contains the idempotency key of the change, so the change is made once, however often the confirmation is used.
 */
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
