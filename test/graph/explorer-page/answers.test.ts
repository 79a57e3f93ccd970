/** The explorer page shows explanations, errors, and missing responses. In a real browser, offline. */
import type { Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { withChromium } from '../../support/chromium.ts'
import {
  answer,
  eventually,
  example,
  explain,
  isPriceRequest,
  priceLine,
  run,
} from '../../support/explorer-actions.ts'
import { useExplorer, writeEditor } from '../../support/explorer-page.ts'

describe.skipIf(!withChromium('answers in the explorer page'))('answers in the explorer page', () => {
  const explorer = useExplorer()

  test('an operation is explained before it is paid: price, calls, parts, scopes and plan, and nothing is run', async () => {
    const { page } = await explorer.open()
    await example(page, 'Write a comment')
    explorer.graph.sandbox.reset()
    await eventually(() => priceLine(page).textContent()).toMatch(/0 calls · 0 units.*1 scope missing/)
    await explain(page)
    const panel = page.getByTestId('explain')
    await panel.waitFor()
    const chip = panel.locator('.chip', { hasText: 'media.write' })
    expect(await chip.getAttribute('data-missing')).toBe('true')
    await panel.getByRole('button', { name: 'Add 1 scope' }).click()
    await panel.locator('.chip[data-missing=false]', { hasText: 'media.write' }).waitFor()
    expect(await panel.getByTestId('units').textContent()).toBe('50')
    await panel.getByText('commentThreads.insert').waitFor()
    expect(await panel.getByTestId('plan').textContent()).toContain('videos')
    expect(explorer.graph.sandbox.journal).toEqual([])

    await eventually(() => priceLine(page).textContent()).toMatch(/1 call · 50 units$/)
    await example(page, 'First video')
    await eventually(() => priceLine(page).textContent()).toMatch(/1 call · 1 unit$/)
    await explain(page)
    await panel.getByText('videos.list').waitFor()
    // Each part has a place of its own, however many there are.
    for (const part of ['snippet', 'statistics'])
      await panel.locator('.asks .chip', { hasText: part }).first().waitFor()
    // It has the whole height of the result, and the JSON stays folded until it is wanted.
    const box = async (selector: string) => (await page.locator(selector).boundingBox())!
    const [result, body, explained] = [
      await box('.part-result'),
      await box('.result-body'),
      (await panel.boundingBox())!,
    ]
    expect(body.y + body.height).toBeCloseTo(result.y + result.height, 0)
    expect(explained.y).toBeLessThan(result.y + 60)
    expect(await panel.locator('.code-editor').count()).toBe(0)
    await panel.getByText('The answer as JSON').click()
    await panel.locator('.code-editor').getByText('"units"').first().waitFor()
    expect(explorer.graph.sandbox.journal).toEqual([])
  })

  test('errors, an answer that is not JSON and an unreachable gateway are shown in words', async () => {
    const { page, faults } = await explorer.open()
    await writeEditor(page, 'operation', '{ nothingOfThisName }')
    await run(page)
    const notices = page.locator('.notice-failed')
    await notices.getByText(/Cannot query field/).waitFor()
    await notices.getByText('GRAPHQL_VALIDATION_FAILED').waitFor()
    await priceLine(page).click()
    await notices.getByText(/Cannot query field/).waitFor()

    await page.getByRole('tab', { name: 'Headers' }).click()
    for (const name of ['x name', 'Cookie']) {
      await writeEditor(page, 'headers', `{ "${name}": "1" }`)
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      const unsent = page.getByText(`A page cannot send the header ${name}: 1.`)
      await unsent.waitFor()
      // It says nothing of what is written next.
      await writeEditor(page, 'headers', '')
      await unsent.waitFor({ state: 'detached' })
    }

    // The connection is lost while the answer arrives.
    await page.evaluate(() => {
      const { fetch } = window
      window.fetch = async (input, init) => {
        if (new Headers(init?.headers).has('tessera-explain')) return fetch(input, init)
        window.fetch = fetch
        const lost = new TypeError('network error')
        return new Response(new ReadableStream({ pull: (body) => body.error(lost) }))
      }
    })
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await notices.getByText('The gateway cannot be reached').waitFor()

    const errors = Array.from({ length: 8 }, (_, index) => ({
      message: `Fault ${index}`,
      path: ['list', index],
      extensions: { code: 'UPSTREAM_TIMEOUT', service: 'videos' },
    }))
    const answers: ((route: Route) => Promise<void>)[] = [
      (route) => route.fulfill({ json: { data: null, errors } }),
      (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }),
      (route) => route.abort('connectionrefused'),
    ]
    await page.route(explorer.graph.url, (route) => {
      const next = isPriceRequest(route.request()) ? undefined : answers.shift()
      return (next ?? ((each: Route) => each.fallback()))(route)
    })
    await run(page)
    await notices.getByText('Fault 2').waitFor()
    await notices.getByText('UPSTREAM_TIMEOUT, videos').first().waitFor()
    expect(await notices.getByText('Fault 3').count()).toBe(0)
    await notices.getByRole('button', { name: '5 more' }).click()
    await notices.getByText('Fault 7').waitFor()
    await run(page)
    await notices.getByText('The answer (status 502) is not JSON').waitFor()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await notices.getByText('The gateway cannot be reached').waitFor()
    await writeEditor(page, 'operation', '{ mediaQuota { used } }')
    await notices.getByRole('button', { name: 'Try again' }).click()
    await eventually(async () => (await answer(page))?.data?.mediaQuota).toBeDefined()
    expect(await notices.count()).toBe(0)
    expect(faults).toEqual([])
  })
})
