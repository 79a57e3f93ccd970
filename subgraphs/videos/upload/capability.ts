/**
 * The address of an upload on our own host: a capability. It carries the session at the service encrypted
 * and signed (JWE), so that any replica with the same secret can serve it, no other process can use or read it,
 * and it expires.
 */
import { hash } from 'node:crypto'
import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import { tesseraError } from '../../../shared/errors.ts'

export interface UploadSession {
  /** The session's address at the service; a holder of it can write to it. */
  readonly address: string
  readonly contentType: string
  readonly contentLength: number
  /** The credential that opened it, if it was the caller's own: alternating names and values. */
  readonly proof: readonly string[]
}

export interface Capabilities {
  seal(session: UploadSession, expiresAt: Date): Promise<string>
  /** Throws a `tesseraError` for an address that is no (longer) one of ours. */
  open(token: string): Promise<UploadSession>
}

const encryption = { alg: 'dir', enc: 'A256GCM' } as const

export function createCapabilities(secret: string): Capabilities {
  const key = Buffer.from(hash('sha256', `tessera upload ${secret}`, 'hex'), 'hex')
  return {
    seal: ({ address, contentType, contentLength, proof }, expiresAt) =>
      new EncryptJWT({ address, contentType, contentLength, proof: [...proof] })
        .setProtectedHeader(encryption)
        .setExpirationTime(expiresAt)
        .encrypt(key),

    async open(token) {
      let payload: Record<string, unknown>
      try {
        payload = (
          await jwtDecrypt(token, key, {
            keyManagementAlgorithms: [encryption.alg],
            contentEncryptionAlgorithms: [encryption.enc],
          })
        ).payload
      } catch (error) {
        if (error instanceof errors.JWTExpired) {
          throw tesseraError(
            'NOT_FOUND',
            'The upload address has expired: ask for a new one with insertVideo.',
            {
              service: 'videos',
              status: 410,
            },
          )
        }
        throw tesseraError('FORBIDDEN', 'This is no upload address of ours, or it was changed.', {
          service: 'videos',
        })
      }
      const { address, contentType, contentLength, proof } = payload
      if (
        typeof address !== 'string' ||
        typeof contentType !== 'string' ||
        typeof contentLength !== 'number'
      ) {
        throw tesseraError('FORBIDDEN', 'This is no upload address of ours.', { service: 'videos' })
      }
      return {
        address,
        contentType,
        contentLength,
        proof: Array.isArray(proof) ? proof.filter((item): item is string => typeof item === 'string') : [],
      }
    },
  }
}
