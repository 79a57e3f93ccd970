/**
 * The address of an upload on our own host, which is a capability. It contains the session at the service in
 * encrypted form (JWE). Any replica with the same secret can serve it, no other process can use or read it, and it
 * expires.
 */
import { hash } from 'node:crypto'
import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import { tesseraError } from '../../../shared/errors.ts'
import { textsOf } from '../../kit/json.ts'

export interface UploadSession {
  /** The session's address at the service. Whoever has it can write to the session. */
  readonly address: string
  readonly contentType: string
  readonly contentLength: number
  /** The credential that opened the session, if it was the caller's own, as alternating names and values. */
  readonly proof: readonly string[]
}

const encryption = { alg: 'dir', enc: 'A256GCM' } as const

export function createCapabilities(secret: string) {
  const key = Buffer.from(hash('sha256', `tessera upload ${secret}`, 'hex'), 'hex')
  return {
    seal: ({ address, contentType, contentLength, proof }: UploadSession, expiresAt: Date): Promise<string> =>
      new EncryptJWT({ address, contentType, contentLength, proof: [...proof] })
        .setProtectedHeader(encryption)
        .setExpirationTime(expiresAt)
        .encrypt(key),

    /** Throws a `tesseraError` if the address is expired, or not our own. */
    async open(token: string): Promise<UploadSession> {
      const { payload } = await jwtDecrypt(token, key, {
        keyManagementAlgorithms: [encryption.alg],
        contentEncryptionAlgorithms: [encryption.enc],
      }).catch((error: unknown) => {
        throw refusalOf(error)
      })
      const { address, contentType, contentLength, proof } = payload
      if (
        typeof address !== 'string' ||
        typeof contentType !== 'string' ||
        typeof contentLength !== 'number'
      ) {
        throw tesseraError('FORBIDDEN', 'This is not an upload address of this server.', {
          service: 'videos',
        })
      }
      return { address, contentType, contentLength, proof: textsOf(proof) }
    },
  }
}

function refusalOf(error: unknown): Error {
  if (error instanceof errors.JWTExpired) {
    const message = 'The upload address has expired: ask for a new one with insertVideo.'
    return tesseraError('NOT_FOUND', message, { service: 'videos', status: 410 })
  }
  const message = 'This is not an upload address of this server, or it was changed.'
  return tesseraError('FORBIDDEN', message, { service: 'videos' })
}
