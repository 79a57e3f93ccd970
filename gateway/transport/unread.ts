import type { SubgraphResult } from '../transport.ts'

/** An answer that nobody has read yet; it is parsed when somebody asks what is in it. */
export class UnreadResult implements SubgraphResult {
  /** As it came. */
  readonly body: Buffer
  readonly #read: (body: Buffer) => SubgraphResult
  #result: SubgraphResult | undefined

  constructor(body: Buffer, read: (body: Buffer) => SubgraphResult) {
    this.body = body
    this.#read = read
  }

  get data(): SubgraphResult['data'] {
    return this.#parsed().data
  }

  get errors(): SubgraphResult['errors'] {
    return this.#parsed().errors
  }

  #parsed(): SubgraphResult {
    this.#result ??= this.#read(this.body)
    return this.#result
  }
}
