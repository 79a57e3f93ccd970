/**
 * The explorer page for everybody: on a wide and on a narrow screen, in both themes, by keyboard alone, and free of
 * what axe-core finds. Screenshots of each state, if they are taken (`chromium.ts`), are
 * `test-artifacts/explorer/<width>-<theme>-<state>.png`.
 */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { drawsAll } from '../support/campaign-size.ts'
import { withChromium } from '../support/chromium.ts'
import { explain, isPriceRequest } from '../support/explorer-actions.ts'
import { editorText, useExplorer, writeEditor } from '../support/explorer-page.ts'

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** The rules of axe-core that depend on the theme: in a second theme the others find what they found in the first. */
const rulesOfColours = ['color-contrast', 'link-in-text-block']

/**
 * What axe-core finds, by these rules or by all, as lines. The driver puts its script in: the page's own policy admits
 * none.
 */
async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  // Passed checks are not listed: they are most of axe-core's report.
  const options = { resultTypes: ['violations'], runOnly: rules, rules: { 'target-size': { enabled: true } } }
  const violations = await page.evaluate<Violation[]>(
    `axe.run(document, ${JSON.stringify(options)})
      .then(({ violations }) => violations)`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
  )
}

/** What is touched, and is not 32 pixels high and wide: what it stands in counts, if that is pressed instead. */
const tooSmall = `[...document.querySelectorAll('button, a[href], input, select, summary, [role=option]')]
  .filter((each) => !each.matches('.visually-hidden') && each.checkVisibility({ visibilityProperty: true }))
  .map((each) => each.matches('[type=checkbox]') ? each.closest('label') : each.matches('.docs-whole') ? each.closest('li') : each)
  .filter((each) => { const { width, height } = each.getBoundingClientRect(); return width > 0 && height > 0 && (width < 32 || height < 32) })
  .map((each) => each.outerHTML.slice(0, 120))`

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const

describe.skipIf(!withChromium('access to the explorer page'))('access to the explorer page', () => {
  const explorer = useExplorer()

  const cases = Object.entries(sizes).flatMap(([size, viewport]) =>
    (['light', 'dark'] as const)
      // On a narrow screen the dark theme has the colours that it has on a wide one.
      .filter((colorScheme) => drawsAll || size === 'wide' || colorScheme === 'light')
      .map((colorScheme) => ({ size, viewport, colorScheme })),
  )
  test.for(cases)(
    '$size and $colorScheme: nothing is cut off, and axe-core finds nothing in any state',
    async ({ size, viewport, colorScheme }) => {
      const { page, faults, screenshot } = await explorer.open('', { context: { viewport, colorScheme } })
      const narrow = size === 'narrow'
      const part = async (name: string) => {
        if (!narrow) return
        await page.getByRole('tablist', { name: 'Parts of the page' }).getByRole('tab', { name }).click()
      }
      const press = async (name: string) => {
        await part('Operation')
        const answered = page.waitForResponse(
          (response) => response.url().endsWith('/graphql') && !isPriceRequest(response.request()),
        )
        await page.getByRole('button', { name, exact: true }).click()
        await answered
        await page.locator('.result[aria-busy=false]').waitFor()
      }
      const example = async (title: string) => {
        await part('Library')
        await page.getByRole('tab', { name: 'Examples' }).click()
        await page.locator('.examples').getByRole('button', { name: title }).click()
      }
      const look = async (state: string) => {
        await screenshot(`explorer/${viewport.width}-${colorScheme}-${state}`)
        const rules = colorScheme === 'dark' && !drawsAll ? rulesOfColours : undefined
        expect([state, await violationsOf(page, rules)]).toEqual([state, []])
        const { scrollWidth, scrollHeight } = await page.evaluate<Element>(
          '(({ scrollWidth, scrollHeight }) => ({ scrollWidth, scrollHeight }))(document.documentElement)',
        )
        expect([state, scrollWidth, scrollHeight]).toEqual([state, viewport.width, viewport.height])
        if (narrow) expect([state, await page.evaluate<string[]>(tooSmall)]).toEqual([state, []])
      }
      const shelf = async (name: string) => {
        await part('Library')
        await page.getByRole('tablist', { name: 'Library' }).getByRole('tab', { name }).click()
      }

      await page.getByRole('textbox', { name: 'Operation', exact: true }).waitFor()
      await look('start')
      await press('Run')
      await look('answer')
      await example('A refused field')
      await press('Run')
      await page.getByText('Missing scope: media.owner').waitFor()
      await look('refused')
      await part('Operation')
      await explain(page)
      await look('explanation')
      await part('Operation')
      await writeEditor(page, 'variables', '{ "other": 1 }')
      await page.getByText('No value: $videoId').waitFor()
      await page.locator('.operation-text .cm-lintRange-warning').waitFor()
      await look('variables')
      await page.getByRole('button', { name: 'Share', exact: true }).click()
      await look('share')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+s')
      await page.getByRole('dialog', { name: 'Save the operation' }).waitFor()
      await look('save')
      await page.keyboard.press('Enter')
      await page.getByText('Saved as RefusedField.').waitFor()
      await shelf('Saved')
      await look('saved')
      await shelf('History')
      await look('history')
      await shelf('Build')
      await page.getByRole('button', { name: 'Fields of video.snippet', exact: true }).click()
      await look('build')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /^Find a command/ }).waitFor()
      await look('commands')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Keyboard shortcuts', exact: true }).click()
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      await look('shortcuts')
      await page.keyboard.press('Escape')
      await part('Library')
      await look('examples')
      await shelf('Schema')
      await page.getByRole('button', { name: 'Map of types' }).click()
      await page.locator('.map-node[style*="--own"]').first().waitFor()
      await look('map')
      await page.keyboard.press('Escape')
      await page.getByRole('searchbox', { name: 'Search the schema' }).fill('chartV')
      await look('schema-search')
      await page.getByRole('button', { name: 'Query.chartVideos', exact: true }).click()
      await look('schema')
      await page.locator('.bar .tool-narrow[popovertarget]').click()
      const scopes = page.getByRole('dialog', { name: 'Scopes' })
      await scopes.getByRole('button', { name: 'All', exact: true }).click()
      await page.locator('.bar .tool-narrow[popovertarget][aria-busy=false]').waitFor()
      await look('scopes')
      const box = (await scopes.boundingBox())!
      // On a narrow screen a sheet from below, over the whole width.
      if (narrow) expect([box.x, box.width, box.y + box.height]).toEqual([0, viewport.width, viewport.height])
      await page.keyboard.press('Escape')
      await example('Metrics over time')
      await press('Run')
      await page.getByRole('figure').first().waitFor()
      await look('charts')
      await page.getByRole('tab', { name: 'Table' }).click()
      await page.getByRole('searchbox', { name: 'Find in the answer' }).fill('GET')
      await page.locator('.rows').waitFor()
      await look('table')
      await example('Metrics as they come')
      await press('Run')
      await page.getByText('Listening', { exact: true }).waitFor()
      await page.getByRole('figure', { name: /sum by/ }).waitFor()
      await look('chart-that-grows')
      await page.getByRole('tab', { name: 'Events' }).click()
      await page.getByRole('list', { name: 'Events, newest first' }).waitFor()
      await look('events')
      await part('Operation')
      await page.getByRole('button', { name: 'Stop', exact: true }).click()
      await part('Result')
      await page.getByText('Stopped.').waitFor()
      await look('stopped')
      await example('An incremental response')
      await press('Run')
      await page.getByText(/^the answer was complete after/).waitFor()
      await look('incremental')
      await page.route(explorer.graph.url, (route) => route.abort('connectionrefused'))
      await part('Operation')
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByText('The gateway cannot be reached').waitFor()
      await look('unreachable')
      expect(faults).toEqual([])
    },
  )

  test('at twice the size the operation and its variables have some lines each, and nothing is beyond the edge', async () => {
    const { page } = await explorer.open(undefined, { context: { viewport: { width: 720, height: 450 } } })
    const heightOf = async (part: string) => (await page.locator(part).boundingBox())?.height
    expect(await heightOf('.operation-text')).toBeGreaterThanOrEqual(140)
    expect(await heightOf('.drawer')).toBeGreaterThanOrEqual(80)
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(450)
  })

  test('everything is reached and worked only by the keyboard', async () => {
    const { page } = await explorer.open('')
    await page.getByRole('textbox', { name: 'Operation', exact: true }).waitFor()
    const focused = () =>
      page.evaluate<string>(
        `(() => { const at = document.activeElement; return (at.getAttribute('aria-label') ?? at.closest('label')?.textContent ?? at.textContent ?? '').trim() })()`,
      )
    /** Presses Tab until that has the focus; fails if it never does. */
    const tabTo = async (name: string) => {
      for (let step = 0; step < 80; step++) {
        if ((await focused()).startsWith(name)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`Tab never reaches ${name}`)
    }
    for (const name of [
      'Operation',
      'Explain',
      'Open in Apollo Sandbox',
      'Commands',
      'Keyboard shortcuts',
      'No scopes',
      'Dark colours',
      'Examples',
      'First video',
      'Width of the library',
      'FirstVideo',
      'New operation',
      'Run',
      'Save',
      'Format',
      'Share',
      'Operation',
      'Explain',
      'Height of the variables',
      'Variables',
      'Width of the operation',
      'Answer',
    ])
      await tabTo(name)

    await tabTo('No scopes')
    await page.keyboard.press('Enter')
    await tabTo('agents.detect')
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: '1 scope' }).waitFor()
    await page.keyboard.press('Escape')
    await tabTo('Examples')
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe('Schema')
    await page.getByRole('searchbox', { name: 'Search the schema' }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await tabTo('A refused field')
    await page.keyboard.press('Enter')
    await tabTo('Run')
    await page.keyboard.press('Enter')
    await page.getByText('Missing scope: media.owner').waitFor()
    await tabTo('Add and run again')
    await page.keyboard.press('Enter')
    await expect.poll(() => editorText(page, 'answer')).toContain('"fileName"')
    // Tab closes a menu, and goes on after its button.
    await tabTo('Share')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toContain('Copy a link')
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe('Copy as cURL')
    await page.keyboard.press('Tab')
    expect(await page.getByRole('menu').count()).toBe(0)
    expect(await focused()).toBe('Operation')
    // The answer folds by keyboard as well.
    const lines = () => page.locator('.result .cm-line').count()
    const before = await lines()
    await page.locator('.cm-content[aria-label="Answer"]').focus()
    await page.keyboard.press('Control+Alt+[')
    await expect.poll(lines).toBeLessThan(before)

    // Events are chosen, and the list is scrolled, by keyboard.
    await page.getByRole('button', { name: 'Metrics as they come' }).click()
    await tabTo('Run')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Add and run again' }).click()
    // With the first event the chart is shown.
    await page.getByRole('figure', { name: /sum by/ }).waitFor()
    await page.getByRole('tab', { name: 'Events' }).click()
    await page.getByRole('list', { name: 'Events, newest first' }).waitFor()
    for (const name of ['Events, newest first', '1', 'Height of the events', 'Event']) await tabTo(name)
  })
})
