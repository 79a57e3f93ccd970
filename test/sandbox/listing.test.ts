/** The listing of the sample data: all of it exists, and docs/sandbox.md repeats it. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listSamples, printSamples, startSandbox } from '../../sandbox/index.ts'
import { postJson } from '../support/post-json.ts'

const page = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')

test('docs/sandbox.md has the rows of the listing, and no others', () => {
  for (const { service, path, samples } of listSamples()) {
    const section = page.split(`\n## ${service}\n`)[1]?.split('\n## ')[0] ?? ''
    expect(section, service).toContain(`\`${path}`)
    const rows = [...section.matchAll(/^\| (?!---|Sample)(.+?) \| (.+) \|$/gm)].map(
      ([, description, value]) => ({ description, value: value?.replaceAll('`', '') }),
    )
    expect(rows, service).toEqual(samples)
  }
})

test('what is listed exists, and is what the listing says', async () => {
  await using sandbox = await startSandbox()
  const get = async (path: string): Promise<[number, Record<string, unknown>]> => {
    const response = await fetch(sandbox.url + path)
    return [response.status, (await response.json()) as Record<string, unknown>]
  }
  const listing = Object.fromEntries(
    listSamples().map(({ service, path, samples }) => [
      service,
      { path, values: samples.map(({ value }) => value.split(' ')) },
    ]),
  )
  const at = (service: string, index: number): string[] => listing[service]?.values[index] ?? []

  const { path: videosPath } = listing.videos ?? { path: '' }
  const videoIds = [...at('videos', 1), ...at('videos', 2), ...at('videos', 3), ...at('videos', 4)]
  const [, videos] = await get(`${videosPath}/videos?part=snippet,statistics&id=${videoIds}`)
  const items = videos.items as {
    id: string
    snippet: Record<string, unknown>
    statistics: Record<string, string>
  }[]
  const byId = new Map(items.map((item) => [item.id, item]))
  expect(byId.size).toBe(5)
  for (const id of at('videos', 1)) expect(byId.get(id)?.snippet.channelId).toBe(at('videos', 0)[0])
  expect(byId.get(String(at('videos', 2)))?.snippet.liveBroadcastContent).toBe('live')
  expect(BigInt(byId.get(String(at('videos', 4)))?.statistics.viewCount ?? 0)).toBeGreaterThan(2n ** 53n)
  const [disabled] = await get(`${videosPath}/commentThreads?part=id&videoId=${at('videos', 3)}`)
  expect(disabled).toBe(403)
  for (const index of [5, 6]) {
    const [status] = await get(`${videosPath}/commentThreads?part=id&channelId=${at('videos', index)}`)
    expect(status).toBe(200)
  }

  const { path: agentsPath } = listing.agents ?? { path: '' }
  expect((await get(`${agentsPath}/projects/${at('agents', 0)}/agent`))[0]).toBe(200)
  expect((await get(`${agentsPath}/projects/${at('agents', 1)}/agent`))[0]).toBe(404)
  for (const index of [3, 4]) expect((await get(`${agentsPath}/${at('agents', index)}`))[0]).toBe(200)
  for (const environment of at('agents', 2)) {
    const session = `projects/${at('agents', 0)}/agent/environments/${environment}/users/-/sessions/s`
    const text = { text: at('agents', 5).join(' '), languageCode: 'en' }
    const response = await postJson(`${sandbox.url}${agentsPath}/${session}:detectIntent`, {
      queryInput: { text },
    })
    expect(await response.json()).toMatchObject({
      queryResult: { intent: { name: String(at('agents', 3)) } },
    })
  }

  const { path: messagesPath } = listing.messages ?? { path: '' }
  expect((await get(`${messagesPath}/users/me`))[1]).toMatchObject({
    data: { id: String(at('messages', 0)) },
  })
  const messageIds = [1, 2, 3, 4, 5].flatMap((index) => at('messages', index))
  const [, found] = await get(`${messagesPath}/tweets?ids=${messageIds}`)
  expect(found.data).toHaveLength(7)
  expect(found).not.toHaveProperty('errors')
  const [, hidden] = await get(`${messagesPath}/tweets?ids=${[...at('messages', 6), ...at('messages', 7)]}`)
  expect(hidden.errors).toMatchObject([{ title: 'Authorization Error' }, { title: 'Not Found Error' }])

  const { path: metricsPath } = listing.metrics ?? { path: '' }
  for (const index of [0, 1, 2, 3, 4]) {
    const query = encodeURIComponent(at('metrics', index).join(' '))
    const [, answer] = await get(`${metricsPath}/query?query=${query}`)
    expect(answer).toMatchObject({
      data: { resultType: 'vector', result: expect.arrayContaining([expect.anything()]) },
    })
  }
  const unsupported = encodeURIComponent(at('metrics', 5).join(' '))
  expect((await get(`${metricsPath}/query?query=${unsupported}`))[0]).toBe(422)
})

test('the text names the address of each service, with the namespace that was chosen', () => {
  const text = printSamples('http://127.0.0.1:4100', listSamples({ namespace: 'youtube' }))
  expect(text).toContain('videos at http://127.0.0.1:4100/youtube/v3\n')
  const lines = text.split('\n')
  for (const { description, value } of listSamples().flatMap(({ samples }) => samples)) {
    const found = lines.filter((line) => line.startsWith(`  ${description} `) && line.endsWith(`  ${value}`))
    expect(found).toHaveLength(1)
  }
})
