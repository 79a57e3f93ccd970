/** The explorer page opens on its own editor, and Apollo Sandbox from a link of it. In a real browser, offline. */
import type { Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { asForgedScript, asFrame, frame, script, withStandIn } from '../../support/apollo-sandbox.ts'
import { withChromium } from '../../support/chromium.ts'
import { answer, eventually, pick, run } from '../../support/explorer-actions.ts'
import { editorReady, editorText, useExplorer, writeEditor } from '../../support/explorer-page.ts'
import { startGraph } from '../../support/graph.ts'

const never = () => new Promise<void>(() => {})
const lost = 'Apollo Sandbox cannot be reached from here.'

describe.skipIf(!withChromium('the explorer page'))('the explorer page', () => {
  const explorer = useExplorer()

  test('opens on its own editor, which has the focus, and asks no other host for anything', async () => {
    const { page, faults, outside } = await explorer.open('', { elsewhere: { [script]: asForgedScript } })
    await editorReady(page)
    const focused = () => page.evaluate<string | null>('document.activeElement.getAttribute("aria-label")')
    await eventually(focused).toBe('Operation')
    await page.keyboard.type('# typed')
    expect(await editorText(page, 'operation')).toMatch(/^# A video[\s\S]*query FirstVideo[\s\S]*# typed$/)
    await run(page)
    expect((await answer(page)).data.video.snippet.title).toBe('The first soup')
    // Formatting has a part of its own to load.
    await writeEditor(page, 'operation', '# kept\n{video(videoId:"u62wyH56M7e"){kind}}')
    await page.getByRole('button', { name: 'Format' }).click()
    await eventually(() => editorText(page, 'operation')).toBe(
      '# kept\n{\n  video(videoId: "u62wyH56M7e") {\n    kind\n  }\n}\n',
    )
    expect(outside).toEqual([])
    expect(faults).toEqual([])
  })

  test('a script that is not the one we know, one that never comes and a silent frame are reported, with the way back', async () => {
    const slow = { prepare: (page: import('playwright-core').Page) => page.clock.install() }
    {
      // The browser runs it only if it has the hash that the page names.
      await using there = await explorer.open('?editor=sandbox', { elsewhere: { [script]: asForgedScript } })
      await there.page.getByText(lost).waitFor()
      expect(await there.page.evaluate('typeof EmbeddedSandbox')).toBe('undefined')
      await there.page.getByRole('link', { name: 'Back to the explorer' }).last().click()
      await editorReady(there.page)
    }
    {
      await using there = await explorer.open('?editor=sandbox', { elsewhere: { [script]: never }, ...slow })
      await eventually(() => there.outside.length).toBe(1)
      await there.page.clock.fastForward(4_100)
      await there.page.clock.resume()
      await there.page.getByText(lost).waitFor()
    }
    await using there = await explorer.open('?editor=sandbox', {
      elsewhere: { [frame]: (route: Route) => route.abort() },
      async prepare(page) {
        await page.clock.install()
        await withStandIn(page)
      },
    })
    await eventually(() => there.outside.length).toBe(2)
    await there.page.clock.fastForward(8_100)
    await there.page.clock.resume()
    await there.page.getByText(lost).waitFor()
  })

  test('configured to be built-in there is no link; configured to be Sandbox, it says when that cannot be', async () => {
    await using plain = await startGraph({ env: { TESSERA_EXPLORER: 'built-in' } })
    await using there = await explorer.visit(new URL('/?editor=sandbox', plain.url).href)
    await editorReady(there.page)
    expect(await there.page.getByRole('link', { name: 'Open in Apollo Sandbox' }).count()).toBe(0)
    expect(there.outside).toEqual([])
    expect(there.faults).toEqual([])

    await using strict = await startGraph({ env: { TESSERA_EXPLORER: 'sandbox' } })
    await using alone = await explorer.visit(new URL('/', strict.url).href)
    await alone.page.getByText(lost).waitFor()
    expect(await alone.page.getByRole('link', { name: 'Back to the explorer' }).count()).toBe(0)
  })

  test('the link opens Sandbox on this endpoint with the operation that was open, and all its requests go through the page', async () => {
    explorer.graph.sandbox.reset()
    const { page, outside, screenshot } = await explorer.open('', {
      elsewhere: { [frame]: asFrame },
      prepare: withStandIn,
    })
    await editorReady(page)
    await writeEditor(page, 'operation', 'query Mine { mediaQuota { used } }')
    await page.getByRole('link', { name: 'Open in Apollo Sandbox' }).click()
    await page.frameLocator('iframe').getByText('Apollo Sandbox').waitFor()
    await screenshot('explorer/sandbox')
    const options = () =>
      page.evaluate<Record<string, unknown>[]>(
        'embedded.map(({ target, handleRequest, ...rest }) => ({ ...rest, relayed: typeof handleRequest }))',
      )
    expect(await options()).toEqual([
      {
        initialEndpoint: explorer.graph.url,
        initialState: {
          document: 'query Mine { mediaQuota { used } }',
          variables: { videoId: 'u62wyH56M7e' },
          includeCookies: false,
          pollForSchemaUpdates: false,
        },
        endpointIsEditable: false,
        hideCookieToggle: true,
        runTelemetry: false,
        allowDynamicStyles: false,
        relayed: 'function',
      },
    ])
    expect(outside).toEqual([script, `${frame}sandbox/explorer`])

    await pick(page, 'metrics.read')
    await page
      .getByRole('navigation', { name: 'Examples' })
      .getByRole('button', { name: 'Metrics over time' })
      .click()
    await eventually(async () => (await options()).at(-1)?.initialState).toMatchObject({
      document: expect.stringContaining('query Rates'),
      sharedHeaders: { Authorization: expect.stringMatching(/^Bearer eyJ/) },
    })
    expect(await page.locator('iframe').count()).toBe(1)
    const relay = (body: unknown) =>
      page.evaluate<{ data?: unknown; errors?: unknown }>(
        `embedded.at(-1).handleRequest(${JSON.stringify(explorer.graph.url)}, { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(body))} }).then((response) => response.json())`,
      )
    const query =
      '{ metrics { queryRange(query: "up", start: 1795200000, end: 1795207200, step: "10m") { series { metric samples { time value } } } } }'
    expect((await relay({ query })).errors).toBeUndefined()
    expect((await relay({ query: '{ __schema { queryType { name } } }' })).data).toBeDefined()
    await page.getByRole('link', { name: 'Back to the explorer' }).click()
    await editorReady(page)
    expect(await editorText(page, 'operation')).toBe('query Mine { mediaQuota { used } }')
  })
})
