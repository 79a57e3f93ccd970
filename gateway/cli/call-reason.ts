/** Why something on the network could not be reached, in words. */

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name cannot be looked up now',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ETIMEDOUT: 'it does not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it does not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it does not answer in time',
  TimeoutError: 'it does not answer in time',
}

/** Why a call failed, from the error's code alone: messages may repeat an address with its password. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return reasons[code] ?? reasons[error.name] ?? `it failed with ${code}`
}
