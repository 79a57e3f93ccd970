/**
 * Sealed texts: what clients are handed and bring back, which only holders of the same secret can write and read. So
 * nothing is kept for it, and any replica with the secret takes it.
 */
import { hash } from 'node:crypto'
import { EncryptJWT, type JWTPayload, jwtDecrypt } from 'jose'

export interface Seal {
  write(content: JWTPayload, seconds: number): Promise<string>
  /** Undefined if another party made it, or if it is too old. */
  read(text: string): Promise<JWTPayload | undefined>
}

const encryption = { alg: 'dir', enc: 'A256GCM' } as const

/** `purpose`: a text that was sealed for one is none for another. */
export function createSeal(secret: string, purpose: string, mostCharacters: number): Seal {
  const key = Buffer.from(hash('sha256', `tessera ${purpose} ${secret}`, 'hex'), 'hex')
  return {
    write: (content, seconds) =>
      new EncryptJWT(content).setProtectedHeader(encryption).setExpirationTime(`${seconds}s`).encrypt(key),
    async read(text) {
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
