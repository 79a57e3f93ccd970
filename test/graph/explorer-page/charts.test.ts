/** Ranges in the explorer page are drawn as charts. In a real browser, offline. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { withChromium } from '../../support/chromium.ts'
import { eventually, example, pick, press } from '../../support/explorer-actions.ts'
import { useExplorer, writeEditor } from '../../support/explorer-page.ts'

/** As much of it as is looked at. */
interface Canvas {
  readonly width: number
  readonly height: number
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray }
  }
}

describe.skipIf(!withChromium('ranges in the explorer page'))('ranges in the explorer page', () => {
  const explorer = useExplorer()

  const range = (query: string, step = '1m') =>
    `queryRange(query: ${JSON.stringify(query)}, start: 1795200000, end: 1795207200, step: "${step}") { series { metric samples { time value } } }`
  const runToCharts = async (page: Page) => {
    await press(page, 'Run')
    await page.getByTestId('charts').waitFor()
  }

  test('are drawn as charts, each with its expression, its series and their values, and can be resized', async () => {
    const { page, faults } = await explorer.open()
    await pick(page, 'metrics.read')
    await example(page, 'Metrics over time')
    await runToCharts(page)
    const charts = page.getByTestId('charts').getByRole('figure')
    await eventually(() => charts.count()).toBe(2)
    const rates = page.getByRole('figure', { name: /sum by \(method\)/ })
    await rates.getByRole('img', { name: /2 series from .* to / }).waitFor()
    await rates.getByRole('button', { name: '{method="GET"}' }).waitFor()
    for (const name of ['value', 'min', 'max', 'points'])
      await rates.getByRole('columnheader', { name, exact: true }).waitFor()
    await rates.getByRole('cell', { name: '361', exact: true }).first().waitFor()
    // Something is drawn: not all of the canvas is empty.
    const painted = await rates.locator('canvas').evaluate((canvas) => {
      const { width, height } = canvas as unknown as Canvas
      const { data } = (canvas as unknown as Canvas).getContext('2d').getImageData(0, 0, width, height)
      return data.some((byte) => byte !== 0)
    })
    expect(painted).toBe(true)

    const instant = rates.locator('time')
    const last = await instant.textContent()
    await rates.getByRole('slider', { name: /^Instant/ }).focus()
    await page.keyboard.press('Home')
    await eventually(() => instant.textContent()).not.toBe(last)
    const line = rates.getByRole('button', { name: '{method="GET"}' })
    await line.press('Enter')
    expect(await line.getAttribute('aria-pressed')).toBe('false')

    const height = async () => (await rates.locator('canvas').boundingBox())!.height
    const before = await height()
    await rates.getByRole('separator', { name: 'Height of the chart' }).press('ArrowDown')
    await eventually(height).toBeGreaterThan(before)
    // The editor keeps its text inside of its box, however small that becomes.
    const operation = page.getByRole('separator', { name: 'Width of the operation' })
    await operation.press('Home')
    await eventually(() => operation.getAttribute('aria-valuenow')).toBe('20')
    const box = async (selector: string) => (await page.locator(selector).first().boundingBox())!
    const [part, code] = [await box('.part-operation'), await box('.operation-text .cm-content')]
    expect(code.x + code.width).toBeLessThanOrEqual(part.x + part.width + 1)

    await page.getByRole('tab', { name: 'Answer' }).click()
    expect(await charts.count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('have the grid of the theme, also after the theme was changed', async () => {
    const { page } = await explorer.open()
    await pick(page, 'metrics.read')
    await writeEditor(page, 'operation', `{ metrics { ${range('up')} } }`)
    await runToCharts(page)
    const hasColour = (red: number, green: number, blue: number) =>
      page.locator('.chart canvas').evaluate(
        (canvas, wanted) => {
          const { width, height } = canvas as unknown as Canvas
          const { data } = (canvas as unknown as Canvas).getContext('2d').getImageData(0, 0, width, height)
          return data.some(
            (_, at) => at % 4 === 0 && wanted.every((part, index) => data[at + index] === part),
          )
        },
        [red, green, blue],
      )
    await eventually(() => hasColour(0xe8, 0xed, 0xef)).toBe(true)
    await page.getByRole('button', { name: 'Dark colours' }).click()
    await eventually(() => hasColour(0x22, 0x32, 0x3a)).toBe(true)
  })

  test('of every series there is, of more than can be distinguished, and with samples that are no numbers, are drawn all the same', async () => {
    const { page, faults, screenshot } = await explorer.open()
    await pick(page, 'metrics.read')
    await writeEditor(
      page,
      'operation',
      `{ metrics { all: ${range('{job=~".+"}', '10m')} odd: ${range('special_value')} } }`,
    )
    await runToCharts(page)
    const all = page.getByRole('figure', { name: /^\{job=~/ })
    await eventually(() => all.locator('tbody tr').count()).toBeGreaterThan(80)
    const odd = page.getByRole('figure', { name: /^special_value/ })
    await odd.getByText(/are NaN or infinite, and not drawn/).waitFor()
    for (const text of ['NaN', '+Inf', '-Inf', '1.5E21'])
      await odd.getByRole('cell', { name: text, exact: true }).first().waitFor()
    await screenshot('explorer/charts-many')
    await odd.scrollIntoViewIfNeeded()
    await screenshot('explorer/charts-special')

    // More series than the sandbox has: an answer of the test's own.
    const series = Array.from({ length: 260 }, (_, index) => ({
      metric: { __name__: 'made', index: String(index) },
      samples: [0, 60, 120].map((time) => ({ time, value: time === 60 ? 'NaN' : String(index + time) })),
    }))
    const asked = `{ metrics { ${range('made')} } }`
    await page.route(explorer.graph.url, async (route) => {
      if (!route.request().postData()?.includes('made')) return route.fallback()
      return route.fulfill({ json: { data: { metrics: { queryRange: { series } } } } })
    })
    await writeEditor(page, 'operation', asked)
    await runToCharts(page)
    const made = page.getByRole('figure', { name: 'made 260 series' })
    await made.getByText('260 series, 3 instants; the first 200 are drawn; 260 samples are NaN').waitFor()
    expect(await made.locator('tbody tr').count()).toBe(260)
    expect(await made.getByRole('button', { name: 'made{index="259"}' }).isDisabled()).toBe(true)
    expect(faults).toEqual([])
  })
})
