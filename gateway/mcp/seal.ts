/**
 * Sealed texts: data that a client receives and sends back, encrypted with a secret of the gateway. The gateway stores
 * nothing for them, and every replica that has the same secret accepts them.
 */
import { hash } from 'node:crypto'
import { EncryptJWT, type JWTPayload, jwtDecrypt } from 'jose'

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
