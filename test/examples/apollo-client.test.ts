/** The example of Apollo Client in a real browser: what its reader sees. */
import { describe, expect, test } from 'vitest'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { useExample } from '../support/app.ts'
import { withChromium } from '../support/chromium.ts'

describe.skipIf(!withChromium('the example of Apollo Client'))('Apollo Client', () => {
  const example = useExample('examples/apollo-client')

  test('shows the chart page by page, one call a page', async () => {
    await using open = await example.visit()
    const chart = open.page.getByRole('region', { name: 'Chart' })
    await chart.getByText('5 of about 120').waitFor()
    expect(await chart.getByRole('listitem').allTextContents()).toHaveLength(5)
    expect(await chart.getByRole('listitem').first().textContent()).toBe(
      'The first escapement Clockmakers, 18,446,744,073,709,551,615 views',
    )
    await chart.getByRole('button', { name: 'More videos' }).click()
    await chart.getByText('10 of about 120').waitFor()
    await open.page.getByText('2 quota units spent').waitFor()
    const titles = await chart.getByRole('listitem').allTextContents()
    expect(new Set(titles).size).toBe(10)
    expect(example.graph.sandbox.calls('videos.list').length).toBe(2)
    expect([open.outside, open.faults]).toEqual([[], []])
  })

  test('a comment that is written appears at the head of the list, without another call', async () => {
    await using open = await example.visit()
    const comments = open.page.getByRole('region', { name: 'Comments' })
    await open.page.getByLabel('Token').fill(await example.graph.token('media.write'))
    await open.page.getByRole('button', { name: 'The first soup' }).click()
    await comments.getByText('This made my morning.').first().waitFor()
    await comments.getByRole('button', { name: 'More comments' }).click()
    await expect.poll(() => comments.getByRole('listitem').count()).toBe(10)
    await comments.getByLabel('Your comment').fill('Well seen.')
    await comments.getByRole('button', { name: 'Write' }).click()
    await expect.poll(() => comments.getByRole('listitem').count()).toBe(11)
    expect(await comments.getByRole('listitem').first().textContent()).toMatch(/ Well seen\.$/)
    expect(await comments.getByLabel('Your comment').inputValue()).toBe('')
    await comments.getByRole('button', { name: 'More comments' }).click()
    // The list goes on; the one that moved to the next page is shown once.
    await expect.poll(() => comments.getByRole('listitem').count()).toBe(15)
    expect(example.graph.sandbox.calls('commentThreads.insert').length).toBe(1)
    expect(example.graph.sandbox.calls('commentThreads.list').length).toBe(3)
    expect(open.faults).toEqual([])
  })

  test('says in words which scope is missing, and shows the rest', async () => {
    await using open = await example.visit()
    const comments = open.page.getByRole('region', { name: 'Comments' })
    await open.page.getByRole('button', { name: 'The first escapement' }).click()
    await comments.getByLabel('Your comment').fill('Well seen.')
    await comments.getByRole('button', { name: 'Write' }).click()
    await comments.getByRole('alert').waitFor()
    expect(await comments.getByRole('alert').textContent()).toBe('This needs a token with media.write.')
    await expect.poll(() => comments.getByRole('listitem').count()).toBe(5)
    expect(await comments.getByLabel('Your comment').inputValue()).toBe('Well seen.')
    expect(example.graph.sandbox.calls('commentThreads.insert')).toEqual([])
  })

  test('an unavailable service is reported in words, and the rest stays', async () => {
    example.graph.sandbox.fail({ kind: 'status', operation: 'commentThreads.list', status: 503, times: 10 })
    await using open = await example.visit()
    const comments = open.page.getByRole('region', { name: 'Comments' })
    await open.page.getByRole('button', { name: 'The first escapement' }).click()
    await comments.getByRole('alert').waitFor()
    expect(await comments.getByRole('alert').textContent()).toBe(
      'The videos service has trouble; try again later.',
    )
    expect(await open.page.getByRole('region', { name: 'Chart' }).getByRole('listitem').count()).toBe(5)
  })

  test.each([
    ['comments', 'Comments', 'commentThreads.list'],
    ['videos', 'Chart', 'videos.list'],
  ])(
    'a further page of %s that fails is reported in words, and the first one stays',
    async (what, region, operation) => {
      await using open = await example.visit()
      const list = open.page.getByRole('region', { name: region })
      if (region === 'Comments') await open.page.getByRole('button', { name: 'The first soup' }).click()
      await expect.poll(() => list.getByRole('listitem').count()).toBe(5)
      example.graph.sandbox.fail({ kind: 'status', operation, status: 503, times: 10 })
      await list.getByRole('button', { name: `More ${what}` }).click()
      await list.getByRole('alert').waitFor({ timeout: 20_000 })
      expect(await list.getByRole('alert').textContent()).toMatch(/^The videos service /)
      expect(await list.getByRole('listitem').count()).toBe(5)
      expect(open.faults).toEqual([])
    },
  )

  test('a short limit is waited out unseen', async () => {
    let calls = 0
    await using open = await example.visit({
      prepare: async (page) => {
        await page.route('**/graphql', (route) => {
          calls += 1
          const error = { message: 'Slower.', extensions: { code: 'RATE_LIMITED', retryAfter: 0 } }
          return calls === 1 ? route.fulfill({ json: { errors: [error] } }) : route.continue()
        })
      },
    })
    await open.page.getByText('5 of about 120').waitFor()
    expect(calls).toBe(2)
    expect(await open.page.getByRole('alert').count()).toBe(0)
  })

  test('disabled comments of a video are an error, and not a fault of the page', async () => {
    await using open = await example.visit()
    const chart = await example.graph.ask(
      '{ chartVideos(chart: MOST_POPULAR, first: 5) { nodes { videoId snippet { title } } } }',
    )
    const closed = chart.data.chartVideos.nodes.find(
      ({ videoId }: { videoId: string }) => videoId === sampleVideos.commentsDisabled,
    )
    await open.page.getByRole('button', { name: closed.snippet.title }).click()
    await open.page.getByRole('alert').waitFor()
    expect(await open.page.getByRole('alert').textContent()).toMatch(/comments/i)
    expect(open.faults).toEqual([])
  })
})
