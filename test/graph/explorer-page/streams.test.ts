/** Subscriptions and incremental responses in the explorer page. In a real browser, offline, over a real graph. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { sandboxExamples } from '../../../explorer/examples/sandbox.ts'
import { withChromium } from '../../support/chromium.ts'
import { answer, eventually, example, explain, pick } from '../../support/explorer-actions.ts'
import { type Explorer, editorText, useExplorer, writeEditor } from '../../support/explorer-page.ts'
import { keepForFile } from '../../support/keep.ts'
import { startBefore } from '../../support/scripted-service.ts'

let explorer: Explorer
/** Comments are answered after it. */
let comments = Promise.resolve()
const videos = keepForFile(
  await startBefore(
    () => explorer.graph.sandbox.url,
    ({ path }) => (path.endsWith('/commentThreads') ? comments : Promise.resolve()),
  ),
)

describe.skipIf(!withChromium('streams in the explorer page'))('streams in the explorer page', () => {
  explorer = useExplorer({
    env: { TESSERA_METRICS_INTERVAL: '1s' },
    urls: { videos: videos.url },
    examples: sandboxExamples,
  })

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const state = (page: Page, words: string | RegExp) =>
    page.locator('.feed-status').getByRole('status').getByText(words).waitFor()
  const rows = (page: Page) => page.getByRole('list', { name: 'Events, newest first' }).getByRole('listitem')
  /** The event that is shown below the list. */
  const event = async (page: Page) => JSON.parse(await editorText(page, 'event'))
  const memory = `subscription { metricsRange(query: "process_resident_memory_bytes{job=\\"api\\"}", window: "30s", step: "1s") { start end series { metric samples { time value } } } }`

  test('a range is drawn as it grows, its events are listed with time and id, and it is stopped', async () => {
    const { page, faults } = await explorer.open()
    await pick(page, 'metrics.read')
    await writeEditor(page, 'operation', memory)
    await press(page, 'Run')
    const chart = page.getByRole('figure', { name: /process_resident_memory_bytes/ })
    await chart.getByText(/^3 series, /).waitFor()
    await state(page, 'Listening')
    const instants = async () =>
      Number(/(\d+) instants/.exec((await chart.locator('figcaption').textContent()) ?? '')?.[1])
    const first = await instants()
    expect(first).toBeGreaterThanOrEqual(30)
    await eventually(instants).toBeGreaterThan(first)
    // What is read is the newest instant until another is chosen, which then stays.
    const slider = chart.getByRole('slider', { name: /^Instant/ })
    await slider.press('Home')
    const read = await chart.locator('time').textContent()
    const later = await instants()
    await eventually(instants).toBeGreaterThan(later)
    expect(await chart.locator('time').textContent()).toBe(read)

    await page.getByRole('tab', { name: 'Events' }).click()
    const second = rows(page).filter({ hasText: /^2/ })
    await second.waitFor()
    expect(await rows(page).first().locator('time').textContent()).toMatch(/^\d\d:\d\d:\d\d$/)
    await second.getByRole('button').click()
    await page.getByRole('heading', { name: 'Event 2' }).waitFor()
    const shown = await event(page)
    expect(await second.locator('.feed-id').textContent()).toBe(shown.extensions.eventId)
    expect(shown.data.metricsRange.start).toBeLessThanOrEqual(shown.data.metricsRange.end)
    await page.getByText(/^polled every 1 s, 0 units an hour$/).waitFor()
    await press(page, 'Stop')
    await state(page, 'Stopped.')
    const count = await rows(page).count()
    await press(page, 'Show the newest')
    await page.getByRole('heading', { name: `Event ${count}` }).waitFor()
    await eventually(() => explorer.graph.gateway.metrics.text()).toMatch(/^tessera_subscriptions 0$/m)
    expect(faults).toEqual([])
  })

  test('the part of the time that was zoomed to stays while the chart grows, and so does the view that was chosen', async () => {
    const { page, faults } = await explorer.open()
    await pick(page, 'metrics.read')
    // The first event comes when the view has been chosen.
    const { promise: chosen, resolve: begin } = Promise.withResolvers<void>()
    await page.route(explorer.graph.url, async (route) => {
      if (route.request().headers().accept?.startsWith('text/event-stream')) await chosen
      return route.fallback()
    })
    await writeEditor(page, 'operation', memory)
    await press(page, 'Run')
    const events = page.getByRole('tab', { name: 'Events' })
    await events.click()
    begin()
    const charts = page.getByRole('tab', { name: 'Chart' })
    await charts.waitFor()
    await eventually(() => rows(page).count()).toBeGreaterThan(1)
    expect(await events.getAttribute('aria-selected')).toBe('true')

    await charts.click()
    const chart = page.getByRole('figure', { name: /process_resident_memory_bytes/ })
    const plot = chart.locator('.u-over')
    const box = await plot.boundingBox()
    if (box === null) throw new Error('no plot')
    const [left, right, y] = [box.x + box.width * 0.3, box.x + box.width * 0.6, box.y + box.height / 2]
    await page.mouse.move(left, y)
    await page.mouse.down()
    await page.mouse.move(right, y, { steps: 5 })
    await page.mouse.up()
    const all = chart.getByRole('button', { name: 'Show the whole time range' })
    await all.waitFor()
    const shown = () => chart.getByRole('img').getAttribute('aria-label')
    const zoomed = await shown()
    const instants = async () =>
      (await chart.locator('figcaption').textContent())?.match(/(\d+) instants/)?.[1]
    const before = Number(await instants())
    await eventually(async () => Number(await instants())).toBeGreaterThan(before + 1)
    expect(await shown()).toBe(zoomed)
    await all.click()
    await eventually(() => all.count()).toBe(0)
    expect(await shown()).not.toBe(zoomed)
    expect(faults).toEqual([])
  })

  test('it continues after the last event when the connection is lost, and ends in words when its token does', async () => {
    const { page } = await explorer.open()
    await pick(page, 'metrics.read')
    const sent: (string | undefined)[] = []
    // Each connection ends after its first event, as if a proxy gives it up.
    await page.route(explorer.graph.url, async (route) => {
      const request = route.request()
      if (!request.headers().accept?.startsWith('text/event-stream')) return route.fallback()
      const last = request.headers()['last-event-id']
      sent.push(last)
      const number = Number(last ?? 0) + 1
      const body =
        number < 4
          ? `retry: 10\n\nid: ${number}\nevent: next\ndata: {"data":{"number":${number}}}\n\n`
          : `event: next\ndata: ${JSON.stringify({ errors: [{ message: 'expired', extensions: { code: 'SUBSCRIPTION_TOO_SLOW' } }] })}\n\nevent: complete\ndata: \n\n`
      return route.fulfill({ headers: { 'content-type': 'text/event-stream' }, body })
    })
    await writeEditor(page, 'operation', 'subscription { mediaQuotaChanged { used } }')
    await press(page, 'Run')
    await state(page, /Events came faster/)
    expect(sent).toEqual([undefined, '1', '2', '3'])
    await eventually(() => rows(page).count()).toBe(3)
    expect(await page.getByTestId('feed-facts').textContent()).toContain('resumed 3 times')
    await page.locator('.notice-failed').getByText('SUBSCRIPTION_TOO_SLOW').waitFor()
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
  })

  test('the event that was chosen stays, however many come after it, until another subscription runs', async () => {
    const { page } = await explorer.open()
    let opened = 0
    const held = Promise.withResolvers<void>()
    await page.route(explorer.graph.url, async (route) => {
      if (!route.request().headers().accept?.startsWith('text/event-stream')) return route.fallback()
      opened += 1
      const event = (number: number) => `event: next\ndata: {"data":{"number":${number}}}\n\n`
      if (opened === 2) await held.promise
      const more = Array.from({ length: 250 }, (_, index) => event(index + 2)).join('')
      const body = opened === 2 ? `${more}event: complete\ndata: \n\n` : `retry: 10\n\n${event(1)}`
      return route.fulfill({ headers: { 'content-type': 'text/event-stream' }, body })
    })
    await writeEditor(page, 'operation', 'subscription { mediaQuotaChanged { used } }')
    await press(page, 'Run')
    await rows(page).getByRole('button').click()
    held.resolve()
    await state(page, /^Complete/)
    await page.getByText('of 251 events').waitFor()
    expect(await rows(page).count()).toBe(200)
    expect(await event(page)).toEqual({ data: { number: 1 } })
    await press(page, 'Show the newest')
    await eventually(() => event(page)).toEqual({ data: { number: 251 } })

    await rows(page).nth(1).getByRole('button').click()
    await page.getByRole('heading', { name: 'Event 250' }).waitFor()
    await press(page, 'Run')
    await page.getByRole('heading', { name: 'Event 1', exact: true }).waitFor()
    await press(page, 'Stop')
  })

  test('a refused subscription says which scope is missing, and runs when it is added', async () => {
    const { page, faults } = await explorer.open()
    await example(page, 'Metrics as they come')
    await press(page, 'Run')
    await page.getByText('Missing scope: metrics.read').waitFor()
    await press(page, 'Add and run again')
    await page.getByRole('figure', { name: /sum by \(method\)/ }).waitFor()
    await state(page, 'Listening')
    // Another operation ends it, and nothing of it comes any more.
    await example(page, 'First video')
    await page.getByText('Run the operation to see its answer here').waitFor()
    await explain(page)
    expect(await page.locator('.feed-status').count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('an incremental response that ends before its last payload is said to lack a part', async () => {
    const { page } = await explorer.open()
    const pending = '"pending":[{"id":"0","path":[]}],"hasNext":true'
    await page.route(explorer.graph.url, (route) =>
      route.request().headers().accept?.startsWith('text/event-stream')
        ? route.fulfill({
            headers: { 'content-type': 'text/event-stream' },
            body: `event: next\ndata: {"data":{"kept":1},${pending}}\n\n`,
          })
        : route.fallback(),
    )
    await writeEditor(page, 'operation', '{ ... @defer { mediaQuota { used } } }')
    await press(page, 'Run')
    await page.locator('.notice-failed').getByText('part of the answer is missing').waitFor()
    expect(await answer(page)).toEqual({ data: { kept: 1 } })
  })

  test('an incremental response is assembled, and the time of each part is shown', async () => {
    const seen = Promise.withResolvers<void>()
    comments = seen.promise
    const { page, faults } = await explorer.open()
    await example(page, 'An incremental response')
    await press(page, 'Run')
    const list = page.getByRole('list', { name: 'Parts, in order of arrival' })
    await list.getByText('first part').waitFor()
    await page.getByText('more are coming…').waitFor()
    expect((await answer(page)).data.chartVideos.nodes[0].commentThreads).toBeUndefined()
    seen.resolve()
    await page.getByText(/^the answer was complete after/).waitFor()
    const commentsOf = async () => {
      const { data, errors } = await answer(page)
      expect(errors).toBeUndefined()
      expect(data.mediaQuota.used).toBeGreaterThanOrEqual(0)
      return data.chartVideos.nodes.map(
        (node: { commentThreads?: { nodes: unknown[] } }) => node.commentThreads?.nodes.length,
      )
    }
    await eventually(commentsOf).toEqual([2, 2])
    for (const text of ['videos', 'comments', 'quota', 'chartVideos.nodes[1]'])
      await list.getByText(text, { exact: true }).first().waitFor()
    const last = list.getByRole('button').last()
    expect(await last.getAttribute('aria-current')).toBe('true')
    expect(await last.textContent()).toContain('last')
    const marked = async () => (await page.locator('.cm-arrived').allTextContents()).join('\n')
    expect(await marked()).toContain('commentThreads')
    await list.getByRole('button').filter({ hasText: 'quota' }).click()
    await eventually(marked).toContain('mediaQuota')
    expect(await marked()).not.toContain('commentThreads')
    expect(faults).toEqual([])
  })
})
