/** What a client sent over HTTP: a request, and each operation in it as the pipeline takes it. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { headerOf } from '../../shared/http/headers.ts'
import type { JsonText } from '../../shared/json/raw.ts'
import { clientCertificateOf } from '../auth/client-certificate.ts'
import { type DataForm, jsonForm, type OperationRequest } from '../pipeline/index.ts'
import type { MediaType, OperationParams } from '../pipeline/operation-request.ts'

export interface HttpRequest {
  readonly id: string
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly socket?: Socket | undefined
  /** The address of the client. */
  readonly address?: string | undefined
  /** Empty for GET. */
  readonly body: string | Buffer
}

/** The data of a result: JSON, or objects that are written with the rest. */
export type HttpData = JsonText | Readonly<Record<string, unknown>>

/** One operation of an HTTP request. It is a class, so that a request makes no functions. */
export class HttpOperation implements OperationRequest<HttpData> {
  readonly http: HttpRequest
  readonly params: () => OperationParams
  readonly mediaType: MediaType
  readonly acceptsIncremental: boolean
  readonly queriesOnly: boolean
  readonly form: DataForm<HttpData> = httpForm
  readonly usedProofs: OperationRequest<unknown>['usedProofs']

  constructor(
    http: HttpRequest,
    params: () => OperationParams,
    type: MediaType,
    acceptsIncremental: boolean,
    usedProofs?: OperationRequest<unknown>['usedProofs'],
  ) {
    this.http = http
    this.params = params
    this.mediaType = type
    this.acceptsIncremental = acceptsIncremental
    this.usedProofs = usedProofs
    this.queriesOnly = http.method === 'GET'
  }

  get id(): string {
    return this.http.id
  }

  get method(): string {
    return this.http.method
  }

  get url(): string {
    return this.http.url
  }

  get headers(): IncomingHttpHeaders {
    return this.http.headers
  }

  header(name: string): string | undefined {
    return headerOf(this.http.headers, name)
  }

  peer(): string | undefined {
    return this.http.socket?.remoteAddress
  }

  address(): string | undefined {
    return this.http.address
  }

  certificate(): Buffer | undefined {
    return clientCertificateOf(this.http.socket)
  }

  body(): Buffer {
    const { body } = this.http
    return typeof body === 'string' ? Buffer.from(body) : body
  }
}

// Incremental results are objects, whose first payload is written with the announcement of the others.
const httpForm = jsonForm as DataForm<HttpData>
