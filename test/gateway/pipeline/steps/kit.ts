/** One operation on its way, before a fake engine and fakes of whatever else a step needs. */
import { buildSchema, parse } from 'graphql'
import type { GrantedOperation, Operation } from '../../../../gateway/auth/granted-operation.ts'
import {
  OperationContext,
  type OperationRequest,
  objectForm,
  type Result,
} from '../../../../gateway/pipeline/index.ts'
import type { PipelineComponents } from '../../../../gateway/pipeline/step.ts'
import { createLogger } from '../../../../gateway/telemetry/log.ts'
import { anonymous } from '../../../../shared/identity.ts'
import { normalisedOf } from '../../../support/normalised.ts'

export type Data = Record<string, unknown>

export interface Given extends Partial<Omit<OperationRequest<Data>, 'params'>> {
  readonly text?: string
  readonly sentHeaders?: Readonly<Record<string, string>>
  readonly variables?: Record<string, unknown>
  readonly extensions?: Record<string, unknown>
}

/** As it arrives: nothing is known of it but what was sent. */
export function arriving(given: Given = {}): OperationContext<Data> {
  const { text = '{ a }', sentHeaders = {}, variables, extensions, ...sent } = given
  return new OperationContext<Data>({
    id: 'test',
    header: (name) => sentHeaders[name],
    headers: sentHeaders,
    params: () => ({ query: text, operationName: undefined, variables, extensions }),
    queriesOnly: false,
    mediaType: 'application/graphql-response+json',
    form: objectForm,
    ...sent,
  })
}

/** After it was authenticated and prepared. */
export function prepared(given: Given = {}, operation: Partial<Operation> = {}): OperationContext<Data> {
  const context = arriving(given)
  context.params = context.sent.params()
  context.variables = context.params.variables ?? {}
  context.text = context.params.query
  context.deadline = performance.now() + 10_000
  context.identity = anonymous
  context.operation = operationOf(given.text, operation)
  return context
}

/** After it was authorized, too: a fake engine answers it. */
export function authorized(
  given: Given = {},
  granted: Partial<GrantedOperation> = {},
  answer: () => Result<Data> | Promise<Result<Data>> = () => ({ data: { a: 1 } }),
): OperationContext<Data> {
  const context = prepared(given)
  const operation = context.operation as Operation
  context.granted = {
    operation,
    compiled: { execute: answer, plan: () => ({ kind: 'nothing' }) } as never,
    allowed: operation.normalised,
    refusals: [],
    report: undefined,
    only: () => context.granted as GrantedOperation,
    ...granted,
  }
  return context
}

const schema = buildSchema('type Query { a: Int } type Mutation { a: Int } type Subscription { a: Int }')

export function operationOf(text = '{ a }', given: Partial<Operation> = {}): Operation {
  const document = parse(text)
  const operation: Operation = {
    text,
    document,
    normalised: normalisedOf(schema, document),
    name: undefined,
    hash: 'h',
    requirements: { open: true } as never,
    asked: 0,
    callers: () => [],
    checkValues: undefined,
    grantedTo: () => {
      throw new Error('not in this test')
    },
    ...given,
  }
  return operation
}

export const silent = createLogger({ level: 'silent' })

/** Parts of which only the given ones may be used. */
export const partsOf = (given: Partial<PipelineComponents>): PipelineComponents => given as PipelineComponents
