/** Which editor the explorer page shows: Apollo Sandbox if it can be reached and is wanted, else its own. In a real browser, offline. */
import type { Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { asFrame, asScript, frame, script } from '../../support/apollo-sandbox.ts'
import { withChromium } from '../../support/chromium.ts'
import { answer, editorReady, eventually, pick, run } from '../../support/explorer-actions.ts'
import { editorText, useExplorer, writeEditor } from '../../support/explorer-page.ts'
import { startGraph } from '../../support/graph.ts'

const never = () => new Promise<void>(() => {})

describe.skipIf(!withChromium('the explorer page'))('the explorer page', () => {
  const explorer = useExplorer()

  test("offline it tries Apollo's script once, shows its own editor instead, and asks no other host for anything", async () => {
    await using there = await explorer.open('')
    const { page } = there
    await editorReady(page)
    await page.getByText('Apollo Sandbox cannot be reached from here').waitFor()
    expect(await editorText(page, 'operation')).toContain('query FirstVideo')
    await run(page)
    expect((await answer(page)).data.video.snippet.title).toBe('The first soup')
    // Formatting has a part of its own to load.
    await writeEditor(page, 'operation', '# kept\n{video(videoId:"u62wyH56M7e"){kind}}')
    await page.getByRole('button', { name: 'Format' }).click()
    await eventually(() => editorText(page, 'operation')).toBe(
      '# kept\n{\n  video(videoId: "u62wyH56M7e") {\n    kind\n  }\n}\n',
    )
    expect(there.outside).toEqual([script])
    expect(there.faults).toEqual([])
  })

  test('a script that never comes is given up after a few seconds, and so is a frame that says nothing', async () => {
    for (const [elsewhere, wait] of [
      [{ [script]: never }, 4_100],
      [{ [script]: asScript, [frame]: (route: Route) => route.abort() }, 8_100],
    ] as const) {
      await using there = await explorer.open('', { elsewhere, prepare: (page) => page.clock.install() })
      const { page, outside } = there
      await eventually(() => outside.length).toBe(Object.keys(elsewhere).length)
      await page.getByTestId('sandbox').waitFor({ state: 'attached' })
      expect(await page.locator('.workbench').count()).toBe(0)
      await page.clock.fastForward(wait)
      await page.clock.resume()
      await page.getByText('Apollo Sandbox cannot be reached from here').waitFor()
      await editorReady(page)
    }
  })

  test('the built-in editor can be had at once, by the address or by a choice that is remembered: then nothing is asked of Apollo', async () => {
    await using there = await explorer.open()
    await editorReady(there.page)
    expect(there.outside).toEqual([])

    await using chosen = await explorer.open('', { elsewhere: { [script]: asScript, [frame]: asFrame } })
    const { page } = chosen
    await page.frameLocator('iframe').getByText('Apollo Sandbox').waitFor()
    await page.getByText('Built-in', { exact: true }).click()
    await editorReady(page)
    const before = chosen.outside.length
    await page.reload()
    await editorReady(page)
    expect(chosen.outside.length).toBe(before)
  })

  test('configured to be built-in, it never asks Apollo; configured to be Sandbox, it says when that cannot be', async () => {
    await using plain = await startGraph({ env: { TESSERA_EXPLORER: 'built-in' } })
    await using there = await explorer.visit(new URL('/', plain.url).href)
    await editorReady(there.page)
    expect(there.outside).toEqual([])
    expect(await there.page.getByRole('group', { name: 'Editor' }).count()).toBe(0)
    expect(there.faults).toEqual([])

    await using strict = await startGraph({ env: { TESSERA_EXPLORER: 'sandbox' } })
    await using alone = await explorer.visit(new URL('/', strict.url).href)
    await alone.page.getByText('Apollo Sandbox cannot be reached from here.').waitFor()
    expect(await alone.page.locator('.workbench').count()).toBe(0)
  })

  test("where Apollo's script comes, the page embeds Sandbox on this endpoint, and all its requests go through the page", async () => {
    explorer.graph.sandbox.reset()
    await using there = await explorer.open('', { elsewhere: { [script]: asScript, [frame]: asFrame } })
    const { page } = there
    await page.frameLocator('iframe').getByText('Apollo Sandbox').waitFor()
    await there.screenshot('explorer/sandbox')
    const options = () =>
      page.evaluate<Record<string, unknown>[]>(
        'embedded.map(({ target, handleRequest, ...rest }) => ({ ...rest, relayed: typeof handleRequest }))',
      )
    expect(await options()).toEqual([
      {
        initialEndpoint: explorer.graph.url,
        initialState: {
          document: expect.stringContaining('query FirstVideo'),
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
    expect(there.outside).toEqual([script, `${frame}sandbox/explorer`])

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
      page.evaluate<{ data?: unknown; errors?: unknown; extensions?: { explain?: unknown } }>(
        `embedded.at(-1).handleRequest(${JSON.stringify(explorer.graph.url)}, { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(body))} }).then((response) => response.json())`,
      )
    const query =
      '{ metrics { queryRange(query: "up", start: 1795200000, end: 1795207200, step: "10m") { series { metric samples { time value } } } } }'
    expect((await relay({ query })).errors).toBeUndefined()
    await page.getByRole('figure', { name: /^up/ }).waitFor()
    await there.screenshot('explorer/sandbox-chart')
    await page.getByRole('button', { name: 'Explain only' }).click()
    explorer.graph.sandbox.reset()
    expect((await relay({ query })).extensions?.explain).toBeDefined()
    await page.getByTestId('explain').waitFor()
    expect(explorer.graph.sandbox.journal).toEqual([])
    await page.getByRole('button', { name: 'Explain only' }).click()
    await relay({ query: '{ video(videoId: "u62wyH56M7e") { fileDetails { fileName } } }' })
    await page.getByText('Missing scope: media.owner').waitFor()
    // What the editor asks of the schema is still answered.
    expect((await relay({ query: '{ __schema { queryType { name } } }' })).data).toBeDefined()
    expect(there.faults).toEqual([])
  })
})
