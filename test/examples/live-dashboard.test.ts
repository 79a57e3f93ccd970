/** The live dashboard in a real browser: what its reader sees as the graph moves. */
import { describe, expect, test } from 'vitest'
import { useExample } from '../support/app.ts'
import { withChromium } from '../support/chromium.ts'

describe.skipIf(!withChromium('the live dashboard'))('the live dashboard', () => {
  const example = useExample('examples/live-dashboard', { env: { TESSERA_METRICS_INTERVAL: '1s' } })

  test('draws what is new, and shows alerts and comments as they come', async () => {
    await using open = await example.visit({ context: { viewport: { width: 1280, height: 900 } } })
    const { page } = open
    const chart = page.getByRole('region', { name: 'Requests' })
    const alerts = page.getByRole('region', { name: 'Alerts' })
    const comments = page.getByRole('region', { name: 'New comments' })
    // Without a token some of it is refused, in words, and the rest is there.
    await chart.getByText('This needs a token with metrics.read.').waitFor()
    await alerts.getByText('This needs a token with metrics.read.').waitFor()
    await alerts.getByText('Unknown', { exact: true }).waitFor()
    expect(await alerts.getByText('0 firing').count()).toBe(0)
    await comments.getByText('Comments appear here as they are written.').waitFor()

    // The list of videos has a price, and so has the comment that is written below.
    const spent = async (): Promise<number> =>
      Number.parseInt((await page.getByText(/^\d+ quota units spent$/).textContent()) ?? '', 10)
    await expect.poll(spent).toBeGreaterThan(0)
    const read = await spent()

    example.graph.sandbox.change('metrics', { fire: { alertname: 'Manual', severity: 'page' } })
    await page.getByLabel('Token').fill(await example.graph.token('metrics.read media.write'))
    await page.getByRole('button', { name: 'Use' }).click()
    await page.getByRole('status').getByText('Live').waitFor()
    await comments.getByLabel('Your comment').fill('Seen live.')
    await comments.getByRole('button', { name: 'Write' }).click()
    await expect.poll(spent).toBeGreaterThanOrEqual(read + 50)
    const lines = chart.getByRole('img', { name: /^Requests: 2 series from .* to / })
    await lines.waitFor()
    expect(await chart.getByRole('row').allTextContents()).toHaveLength(2)
    const drawn = () => lines.locator('path').first().getAttribute('d')
    const before = await drawn()
    expect(before).toMatch(/^M[\d.]+ [\d.]+L/)
    await expect.poll(drawn).not.toBe(before)

    const alert = alerts.getByRole('listitem').filter({ hasText: 'Manual' })
    await expect.poll(() => alert.textContent()).toBe('FiringManualpage')
    await expect.poll(() => comments.getByRole('listitem').count()).toBe(1)
    expect(await comments.getByRole('listitem').textContent()).toContain('Seen live.')
    await open.screenshot('examples/live-dashboard')

    await chart.getByLabel('What is drawn').selectOption('Memory')
    await page.getByRole('img', { name: /^Memory: / }).waitFor()
    expect([open.outside, open.faults]).toEqual([[], []])
  })

  test('continues after the last event when its connection was lost', async () => {
    const sockets: { close(): Promise<void> }[] = []
    const subscribed: { query: string; extensions?: { lastEventId?: string } }[] = []
    await using open = await example.visit({
      prepare: (page) =>
        page.routeWebSocket('**/graphql', (socket) => {
          const server = socket.connectToServer()
          sockets.push(socket)
          socket.onMessage((message) => {
            const { type, payload } = JSON.parse(String(message))
            if (type === 'subscribe') subscribed.push(payload)
            server.send(message)
          })
        }),
    })
    const { page } = open
    await page.getByLabel('Token').fill(await example.graph.token('metrics.read'))
    await page.getByRole('button', { name: 'Use' }).click()
    await page.getByRole('img', { name: /^Requests: / }).waitFor()
    const begun = subscribed.length
    for (const socket of sockets.splice(0)) await socket.close()
    const resumed = () =>
      subscribed.slice(begun).find(({ query }) => query.includes('metricsRange'))?.extensions?.lastEventId
    await expect.poll(resumed).toMatch(/^\d+$/)
    await page.getByRole('status').getByText('Live').waitFor()
  })
})
