/** What the log has of an error that the client does not see. */
import { GraphQLError } from 'graphql'
import { expect, test } from 'vitest'
import { tesseraError } from '../../../contract/errors.ts'
import { PlanError } from '../../../gateway/engine/plan/index.ts'
import { maskError } from '../../../gateway/http/mask.ts'
import { createLogger } from '../../../gateway/observe/log.ts'

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
  expect(lines).toMatchObject([{ request: 'r1', trace_id: traceId, err: { message: 'secret detail' } }])
  expect(masked.message).not.toContain('secret')
  expect(masked.message).toContain('r1')
})

test('the cause of an error that was made on purpose is logged with the same ids', () => {
  const { log, lines } = logging()
  const error = tesseraError('UPSTREAM_UNAVAILABLE', 'The service failed.', { cause: new Error('reset') })
  expect(maskError(error, 'r2', log, traceId)).toBe(error)
  expect(lines).toMatchObject([{ request: 'r2', trace_id: traceId, code: 'UPSTREAM_UNAVAILABLE' }])
})

test('without a trace no line has one', () => {
  const { log, lines } = logging()
  maskError(new GraphQLError('no code'), 'r3', log)
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toHaveProperty('trace_id')
})

test('what cannot be planned has a code of its own, and why stands in the log alone', () => {
  const lines: string[] = []
  const log = createLogger({ level: 'error', destination: { write: (line) => lines.push(line) } })
  const masked = maskError(new PlanError('No subgraph can be asked for Video.secret.'), 'r-1', log)
  expect(masked.extensions.code).toBe('OPERATION_NOT_PLANNABLE')
  expect(masked.message).not.toContain('secret')
  expect(lines.join()).toContain('Video.secret')
})
