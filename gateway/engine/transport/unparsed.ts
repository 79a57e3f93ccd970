/**
 * A subgraph's response as it came. It is parsed when its data or errors are asked for; until then its bytes may go
 * on to the client as they are.
 */
import { standsAt } from '../../../contract/json/bytes.ts'
import type { Answered, SubgraphResult } from './subgraph-fetch.ts'

/** How a response with data begins in the form in which most servers write it. */
export const dataLead = Buffer.from('{"data":{')

export class UnparsedResult implements SubgraphResult {
  readonly body: Buffer
  readonly answered: Answered | undefined
  readonly #parse: (body: Buffer) => SubgraphResult
  #result: SubgraphResult | undefined

  constructor(body: Buffer, parse: (body: Buffer) => SubgraphResult, answered?: Answered) {
    this.body = body
    this.#parse = parse
    this.answered = answered
  }

  get data(): SubgraphResult['data'] {
    return this.#parsed().data
  }

  get errors(): SubgraphResult['errors'] {
    return this.#parsed().errors
  }

  get moreErrors(): SubgraphResult['moreErrors'] {
    return this.#parsed().moreErrors
  }

  /** Whether it looks like data and nothing else; `errors` says for certain. */
  get looksFaultless(): boolean {
    return standsAt(this.body, 0, dataLead) && !this.body.includes('"errors"')
  }

  #parsed(): SubgraphResult {
    this.#result ??= this.#parse(this.body)
    return this.#result
  }
}
