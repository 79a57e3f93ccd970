/** Explains in words why a network address could not be reached. */
import { systemCodeOf } from '../runtime/thrown.ts'
import type { HttpResult } from './client.ts'

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of this name',
  EHOSTUNREACH: 'no route leads there',
  ENETUNREACH: 'no route leads there',
  CERT_HAS_EXPIRED: 'its TLS certificate has expired',
  CERT_NOT_YET_VALID: 'its TLS certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is signed by itself alone',
  SELF_SIGNED_CERT_IN_CHAIN: 'its TLS certificate is from an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its TLS certificate is from an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its TLS certificate is from an authority that is not trusted here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS: try http',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS: try http',
  EPROTO: 'the TLS handshake failed',
  EAI_AGAIN: 'the name cannot be looked up now',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ETIMEDOUT: 'it does not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it does not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it does not answer in time',
  TimeoutError: 'it does not answer in time',
  timeout: 'it does not answer in time',
  connection: 'the connection was closed',
  truncated: 'its response was incomplete',
  garbled: 'its response is not valid HTTP',
  'too-large': 'its response is too large',
}

/** There is no complete response. The code is that of the network error, if there is one. */
class IncompleteResponse extends Error {
  readonly code: string
  constructor({ loss = 'connection', cause }: HttpResult) {
    super(loss, { cause })
    const code = systemCodeOf(cause)
    this.code = code !== undefined && Object.hasOwn(reasons, code) ? code : loss
  }
}

/** The response, if it is complete. Otherwise throws an error for `reasonOf`. */
export function completeResponse(result: HttpResult): HttpResult {
  if (result.loss !== undefined) throw new IncompleteResponse(result)
  return result
}

/** The reason in words, if the error's code is known. */
export function knownReasonOf(error: Error): string | undefined {
  const code = systemCodeOf(error) ?? error.name
  return reasons[code]
}

/** The reason in words, from the error's code alone. Messages may contain an address with its password. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed'
  const code = systemCodeOf(error) ?? error.name
  return reasons[code] ?? reasons[error.name] ?? `it failed with ${code}`
}
