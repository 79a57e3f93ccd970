/** What the log says about an error that the client does not see. */
import { GraphQLError } from 'graphql'
import { expect, test } from 'vitest'
import { PlanError } from '../../../engine/planner/index.ts'
import { maskError } from '../../../gateway/pipeline/mask.ts'
import { createLogger } from '../../../gateway/telemetry/log.ts'
import { tesseraError } from '../../../shared/errors.ts'

function logging() {
  const lines: Record<string, unknown>[] = []
  const log = createLogger({
    level: 'debug',
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  })
  return { log, lines }
}

const traceId = '0af7651916cd43dd8448eb211c80319c'

test('an unexpected error is logged with the ids of its request and its trace, and masked for the client', () => {
  const { log, lines } = logging()
  const masked = maskError(new Error('secret detail'), 'r1', log, traceId)
  expect(lines).toMatchObject([
    { request: 'r1', trace_id: traceId, err: { message: 'secret detail' }, msg: 'unexpected error' },
  ])
  expect(masked.toJSON()).toEqual({
    message: 'Internal error. The log has it under r1.',
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  })
})

test('the cause of an error that was made on purpose is logged with the same ids', () => {
  const { log, lines } = logging()
  const error = tesseraError('UPSTREAM_UNAVAILABLE', 'The service failed.', { cause: new Error('reset') })
  expect(maskError(error, 'r2', log, traceId)).toBe(error)
  expect(lines).toMatchObject([
    { request: 'r2', trace_id: traceId, code: 'UPSTREAM_UNAVAILABLE', err: {}, msg: 'a field failed' },
  ])
})

test('an error that was made on purpose without a cause is not logged', () => {
  const { log, lines } = logging()
  const error = tesseraError('NOT_FOUND', 'The service has no such object.')
  expect(maskError(error, 'r2', log, traceId)).toBe(error)
  expect(lines).toEqual([])
})

test('an error of a field keeps its path, and nothing else of what was thrown', () => {
  const { log } = logging()
  const thrown = new GraphQLError('secret detail', {
    path: ['video', 'title'],
    extensions: { code: 42, detail: 'secret' },
  })
  expect(maskError(thrown, 'r4', log).toJSON()).toEqual({
    message: 'Internal error. The log has it under r4.',
    path: ['video', 'title'],
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  })
})

test('what only looks like an error that was made on purpose is masked', () => {
  const { log } = logging()
  const alike = Object.assign(new Error('secret detail'), { extensions: { code: 'NOT_FOUND' }, path: ['a'] })
  expect(maskError(alike, 'r5', log).toJSON()).toEqual({
    message: 'Internal error. The log has it under r5.',
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  })
})

test('without a trace no log line has a trace id', () => {
  const { log, lines } = logging()
  maskError(new GraphQLError('no code'), 'r3', log)
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toHaveProperty('trace_id')
})

test('an unplannable operation has its own code, and the reason is only in the log', () => {
  const { log, lines } = logging()
  const masked = maskError(new PlanError('No subgraph can resolve Video.secret.'), 'r6', log, traceId)
  expect(masked.toJSON()).toEqual({
    message: 'This operation cannot be planned over the subgraphs. The log has the reason under r6.',
    extensions: { code: 'OPERATION_NOT_PLANNABLE' },
  })
  expect(lines).toMatchObject([
    {
      request: 'r6',
      trace_id: traceId,
      err: { message: 'No subgraph can resolve Video.secret.' },
      msg: 'an operation cannot be planned',
    },
  ])
})
