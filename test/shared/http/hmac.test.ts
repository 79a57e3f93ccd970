import '../../support/seed.ts'
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSha256Hmac } from '../../../shared/http/hmac.ts'
import { codePoint } from '../../support/code-point.ts'

const text = fc.string({ unit: codePoint, maxLength: 300 })

test('it is HMAC-SHA256, whatever the key, the text and their lengths', () => {
  fc.assert(
    fc.property(
      text,
      text,
      text,
      fc.constantFrom(0, 1, 5000, 20_000),
      fc.boolean(),
      (secret, head, part, times, isText) => {
        const body = part + 'ü'.repeat(times)
        const expected = createHmac('sha256', secret).update(head).update(body).digest('base64url')
        const hmac = createSha256Hmac(secret)
        expect(hmac(head, isText ? body : Buffer.from(body))).toBe(expected)
        expect(hmac(head, isText ? body : Buffer.from(body))).toBe(expected)
      },
    ),
  )
})
