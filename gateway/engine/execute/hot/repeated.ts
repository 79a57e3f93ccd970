/**
 * Executions in which subgraphs answer what they answered before. The data of a response hang on the responses of
 * subgraphs and on the variables of `@skip` and `@include`, and so do the representations that are sent. Where each
 * response has the bytes of the one that is remembered, nothing is parsed, collected, merged and written again: the
 * remembered representations are sent, and the remembered data are the result. Every fetch of the plan is sent all the
 * same, for this caller and with this caller's variables.
 *
 * At the first response that differs, the plain way takes over: `../index.ts`, which gets what was sent so far in place
 * of sending it again. One execution of each plan is remembered. Where several in a row differ from it, only one in
 * many is compared.
 *
 * For the query of the federated comparison (six fetches, a response of 87 kB) the gateway takes 0.5 to 0.6 of the CPU
 * time of the plain way (November 2026, under load).
 * `npm run bench -- --federated --only tessera-apart,tessera-changing`; test/gateway/engine/execute/hot/repeated.test.ts
 * compares both ways.
 */
import { type DocumentNode, visit } from 'graphql'
import { runsPlainly } from '../../../../contract/hot/switch.ts'
import { parseExactly } from '../../../../contract/json/exact-number.ts'
import type { JsonText } from '../../../../contract/json/raw.ts'
import { ownBytes, ownLength } from '../../../../contract/own-bytes.ts'
import type { JsonObject, Sender } from '../../execution.ts'
import type { NoteKept } from '../../kept.ts'
import type { FetchOperation, Plan, PlanNode } from '../../plan/index.ts'
import type { GatewayRequest } from '../../request.ts'
import { dataForMany } from '../../response-body.ts'
import * as thresholds from '../../thresholds.ts'
import { type SubgraphFetch, type SubgraphResult, UnparsedResult } from '../../transport/index.ts'
import { parallel, type StepOf, sequence } from '../order.ts'
import type { PreparedFetch } from '../prepared.ts'

type Variables = Readonly<Record<string, unknown>>

export interface Repeats {
  /** What compares this execution with the one that is remembered; undefined where that is not worth it. */
  attempt(variables: Variables, request: GatewayRequest): Attempt | undefined
}

export interface Attempt {
  /**
   * Sends the remembered fetches. The data of the response, or undefined where something differs: then the plan has to
   * be run, with `sender`.
   */
  repeat(): JsonText | undefined | Promise<JsonText | undefined>
  /** What sends the rest, and remembers the execution. */
  sender(): Sender
}

export interface RepeatsOptions {
  readonly plan: Plan
  readonly fetches: ReadonlyMap<FetchOperation, PreparedFetch>
  /** As the client sent it. */
  readonly document: DocumentNode
  readonly noteKept: NoteKept
}

/** The most bytes of one execution that are remembered: its responses and its data. */
const mostBytes = 256 * 1024
/** So many executions in a row that differed: then only one in so many more is compared. */
const mostDifferentInRow = 8
const comparedAgainAfter = 64

/** An execution: under which conditions, what was sent and what came of it. */
interface Remembered {
  readonly key: string
  readonly fetches: ReadonlyMap<SubgraphFetch, RememberedFetch>
  readonly data: JsonText
}

interface RememberedFetch {
  /** The variables that were made of what earlier fetches brought, and their JSON. */
  readonly own: JsonObject | undefined
  readonly text: string
  readonly body: Buffer
}

/** What is sent before it is known whether the plan sends it. */
interface Sent {
  readonly text: string
  readonly result: SubgraphResult | Promise<SubgraphResult>
}

/** What an attempt shares with the others of its plan. */
interface Memory {
  remembered: Remembered | undefined
  differentInRow: number
  remember(remembered: Remembered, bytes: number): void
}

/** Undefined for what is not a query: a mutation is never sent before it is known that the plan gets there. */
export function compileRepeats({ plan, fetches, document, noteKept }: RepeatsOptions): Repeats | undefined {
  const repeat = plan === undefined ? undefined : compileRepeat(plan, fetches)
  if (repeat === undefined) return undefined
  const conditions = conditionVariables(document)
  const keyOf = (variables: Variables): string => {
    let key = ''
    for (const name of conditions) key += variables[name] === true ? '1' : '0'
    return key
  }
  let executions = 0
  let noted = 0
  const memory: Memory = {
    remembered: undefined,
    differentInRow: 0,
    remember(remembered, bytes) {
      memory.remembered = remembered
      if (bytes > noted) noteKept(bytes - noted)
      noted = Math.max(noted, bytes)
    },
  }
  return {
    attempt(variables, request) {
      executions += 1
      if (executions < thresholds.rememberedAfter || runsPlainly('repeated')) return undefined
      if (memory.differentInRow >= mostDifferentInRow && executions % comparedAgainAfter !== 0)
        return undefined
      return new Comparing(memory, repeat, keyOf(variables), variables, request)
    },
  }
}

/** Sends what is remembered, and compares what comes. */
class Comparing implements Attempt {
  readonly variables: Variables
  readonly request: GatewayRequest
  readonly remembered: Remembered | undefined
  /** Whether it is known that this execution is not the remembered one. */
  differs = false
  readonly sent = new Map<SubgraphFetch, Sent>()
  readonly #memory: Memory
  readonly #repeat: StepOf<Comparing>
  readonly #key: string

  constructor(
    memory: Memory,
    repeat: StepOf<Comparing>,
    key: string,
    variables: Variables,
    request: GatewayRequest,
  ) {
    this.#memory = memory
    this.#repeat = repeat
    this.#key = key
    this.variables = variables
    this.request = request
    this.remembered = memory.remembered?.key === key ? memory.remembered : undefined
  }

  repeat(): JsonText | undefined | Promise<JsonText | undefined> {
    if (this.remembered === undefined) return undefined
    const pending = this.#repeat(this)
    return pending === undefined ? this.#data() : pending.then(() => this.#data())
  }

  sender(): Sender {
    return new Noting(this.#memory, this.#key, this.sent)
  }

  #data(): JsonText | undefined {
    this.#memory.differentInRow = this.differs ? this.#memory.differentInRow + 1 : 0
    return this.differs ? undefined : this.remembered?.data
  }
}

/** Sends what the plan asks for, unless it was sent already, and notes it. */
class Noting implements Sender {
  readonly #memory: Memory
  readonly #key: string
  readonly #early: Map<SubgraphFetch, Sent>
  readonly #noted = new Map<SubgraphFetch, { readonly text: string; body: Buffer | undefined }>()
  /** Of a `@fromContext` with several values: one fetch is sent several times. */
  #sentTwice = false

  constructor(memory: Memory, key: string, early: Map<SubgraphFetch, Sent>) {
    this.#memory = memory
    this.#key = key
    this.#early = early
  }

  send(
    fetch: SubgraphFetch,
    variables: JsonObject,
    own: JsonObject | undefined,
    request: GatewayRequest,
  ): SubgraphResult | Promise<SubgraphResult> {
    const text = own === undefined ? '' : JSON.stringify(own)
    const early = this.#early.get(fetch)
    // A result belongs to one receiver, and only to one who would have sent the same.
    this.#early.delete(fetch)
    if (this.#noted.has(fetch)) this.#sentTwice = true
    const noted: { readonly text: string; body: Buffer | undefined } = { text, body: undefined }
    this.#noted.set(fetch, noted)
    const note = (result: SubgraphResult): SubgraphResult => {
      if (result instanceof UnparsedResult) noted.body = result.body
      return result
    }
    const result = early?.text === text ? early.result : fetch(variables, request)
    return result instanceof Promise ? result.then(note) : note(result)
  }

  written(data: JsonText): void {
    const fetches = new Map<SubgraphFetch, RememberedFetch>()
    let bytes = 0
    for (const [fetch, { text, body }] of this.#noted) {
      if (body === undefined) break
      bytes += ownLength(body) + text.length
      fetches.set(fetch, { own: ownFrom(text), text, body })
    }
    for (const piece of typeof data === 'string' ? [data] : data) bytes += piece.length
    const isWhole = fetches.size > 0 && fetches.size === this.#noted.size && !this.#sentTwice
    if (!isWhole || bytes > mostBytes) {
      // Most likely, the next one cannot be remembered either.
      this.#memory.differentInRow += 1
      return
    }
    for (const [fetch, remembered] of fetches) {
      fetches.set(fetch, { ...remembered, body: ownBytes(remembered.body) })
    }
    this.#memory.remember({ key: this.#key, fetches, data: dataForMany(data) }, bytes)
  }
}

/** Read again: parts of what was sent may stand in the data, to which later fetches have added. */
const ownFrom = (text: string): JsonObject | undefined =>
  text === '' ? undefined : (parseExactly(text) as JsonObject)

/** Undefined where something of the plan is not sent by a fetch that is known, or is no query. */
function compileRepeat(
  node: PlanNode,
  fetches: ReadonlyMap<FetchOperation, PreparedFetch>,
): StepOf<Comparing> | undefined {
  if (node.kind === 'sequence' || node.kind === 'parallel') {
    const steps: StepOf<Comparing>[] = []
    for (const each of node.nodes) {
      const step = compileRepeat(each, fetches)
      if (step === undefined) return undefined
      steps.push(step)
    }
    return node.kind === 'sequence' ? sequence(steps) : parallel(steps)
  }
  const fetch = fetches.get(node.operation)
  return fetch === undefined || node.operation.kind !== 'query' ? undefined : fetchAgain(fetch)
}

function fetchAgain({ send, pick }: PreparedFetch): StepOf<Comparing> {
  return (comparing) => {
    const { variables, request, remembered, sent } = comparing
    const known = remembered?.fetches.get(send)
    if (known === undefined || comparing.differs) return undefined
    if (request.cancelled) {
      comparing.differs = true
      return undefined
    }
    const compare = (result: SubgraphResult): void => {
      if (!(result instanceof UnparsedResult) || !result.body.equals(known.body)) comparing.differs = true
    }
    const picked = pick(variables)
    const result = send(known.own === undefined ? picked : { ...picked, ...known.own }, request)
    sent.set(send, { text: known.text, result })
    return result instanceof Promise ? result.then(compare) : compare(result)
  }
}

/** The names of the variables that decide what is left out. */
function conditionVariables(document: DocumentNode): readonly string[] {
  const names = new Set<string>()
  visit(document, {
    Directive({ name, arguments: given = [] }) {
      if (name.value !== 'skip' && name.value !== 'include') return
      for (const { value } of given) if (value.kind === 'Variable') names.add(value.name.value)
    },
  })
  return [...names]
}
