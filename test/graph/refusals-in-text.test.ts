/** Refusals in plain text, of each service: the words that help are shown, and nothing that is not the client's. */
import { expect, test } from 'vitest'
import { allScopes, startGraph } from '../support/graph.ts'
import { startScripted } from '../support/scripted-service.ts'

test.each([
  ['videos', '{ chartVideos(chart: MOST_POPULAR, first: 1) { nodes { etag } } }'],
  ['agents', '{ agent(project: "demo") { displayName } }'],
  ['messages', '{ message(messageId: "20") { lang } }'],
  ['metrics', '{ metrics { query(query: "up") { resultType } } }'],
] as const)('a refusal of %s in plain text is BAD_USER_INPUT with its words', async (name, query) => {
  await using service = await startScripted({
    status: 400,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    text: 'invalid parameter "x" <b>at</b> http://10.1.2.3:9090/secret\n',
  })
  await using graph = await startGraph({ urls: { [name]: service.url } })
  const { text, errors } = await graph.ask(query, {}, { scope: allScopes })
  expect(errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT'])
  expect(errors[0]?.message).toMatch(/invalid parameter "x" at …$/)
  expect(text).not.toContain('10.1.2.3')
  expect(service.arrived).toHaveLength(1)
})
