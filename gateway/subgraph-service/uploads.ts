/** Uploads to a subgraph service: the address proves its holder, the signature or secret proves the gateway. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tesseraError } from '../../contract/errors.ts'
import { asByteString, jsonText } from '../../contract/json/byte-string.ts'
import { routerHeader, signatureHeader } from '../../contract/signature.ts'
import type { UploadAnswer } from '../../contract/subgraph.ts'
import { jsonType } from '../http/serve/body.ts'
import { checkUploadToken, type UploadHandler, uploadFailure } from '../http/uploads.ts'
import type { Logger } from '../observe/log.ts'
import type { Admission } from './admission.ts'
import { requestIdOf, runningRequest } from './graphql.ts'
import { send } from './respond.ts'

export async function takeUpload(
  handler: UploadHandler,
  raw: IncomingMessage,
  response: ServerResponse,
  { token, admission, log }: { token: string; admission: Admission; log: Logger },
): Promise<void> {
  const id = requestIdOf(raw, 'upload')
  const request = runningRequest(raw, response, id, Number.POSITIVE_INFINITY)
  let answer: UploadAnswer
  try {
    if (!admission.isProven(raw, '')) {
      const expected = `expected ${signatureHeader} or ${routerHeader}`
      throw tesseraError('UNAUTHENTICATED', `Uploads are taken only from a gateway (${expected}).`)
    }
    checkUploadToken(token)
    answer = await handler({ token, headers: raw.headers, body: raw }, request)
  } catch (error) {
    answer = uploadFailure(error, { id, headers: raw.headers, log })
  }
  const body = answer.body === undefined ? asByteString('') : jsonText(answer.body)
  send(response, answer.status, jsonType, body, Object.entries(answer.headers).flat())
}
