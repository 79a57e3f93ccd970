import { standsAt } from '../../subgraphs/lib/json-bytes.ts'
import type { SubgraphResult } from '../transport.ts'

/** How an answer begins that has data, where it is written as most write it. */
export const dataLead = Buffer.from('{"data":{')

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

  /** Whether it looks like data and nothing else. Who has to be certain asks for the errors. */
  get looksFaultless(): boolean {
    return standsAt(this.body, 0, dataLead) && !this.body.includes('"errors"')
  }

  #parsed(): SubgraphResult {
    this.#result ??= this.#read(this.body)
    return this.#result
  }
}
