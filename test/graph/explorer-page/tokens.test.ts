/** Scopes and tokens in the explorer page: picked, offered beside a refusal, pasted, kept in the tab. In a real browser, offline. */
import { describe, expect, test } from 'vitest'
import { asFrame, frame, withStandIn } from '../../support/apollo-sandbox.ts'
import { withChromium } from '../../support/chromium.ts'
import { answer, eventually, example, pick, picker, run } from '../../support/explorer-actions.ts'
import { editorReady, useExplorer, writeEditor } from '../../support/explorer-page.ts'
import { startGraph } from '../../support/graph.ts'

describe.skipIf(!withChromium('tokens in the explorer page'))('tokens in the explorer page', () => {
  const explorer = useExplorer()

  test('a refused field opens with its scope: ticked in the picker, and by the offer beside the refusal', async () => {
    const { page } = await explorer.open()
    await example(page, 'A refused field')
    await run(page)
    const refused = await answer(page)
    expect(refused.data.video).toMatchObject({ snippet: { title: 'The first soup' }, fileDetails: null })
    expect(refused.errors[0].extensions).toMatchObject({
      code: 'UNAUTHORIZED_FIELD_OR_TYPE',
      authorization: { missing: ['media.owner'] },
    })
    await page.getByText('Missing scope: media.owner').waitFor()
    await pick(page, 'media.owner')
    await page.getByRole('button', { name: '1 scope' }).waitFor()
    await run(page)
    await eventually(async () => (await answer(page)).errors).toBeUndefined()
    expect((await answer(page)).data.video.fileDetails.fileName).toEqual(expect.any(String))
    expect(await page.getByText('Missing scope').count()).toBe(0)

    await example(page, 'Messages')
    await run(page)
    expect((await answer(page)).errors.length).toBeGreaterThan(0)
    await page.getByText(/^Missing scopes: /).waitFor()
    await page.getByRole('button', { name: 'Add and run again' }).click()
    await page.getByRole('button', { name: '3 scopes' }).waitFor()
    await eventually(async () => (await answer(page))?.data?.messages?.[0]?.author?.username).toEqual(
      expect.any(String),
    )
  })

  test('the list of commands opens the picker with the focus in it, and Escape gives the focus back', async () => {
    const { page } = await explorer.open()
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await eventually(focused).toBe('Operation')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Find a command/ }).fill('Scopes and token')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Scopes' }).waitFor()
    await eventually(focused).toBe('Filter the scopes')
    await page.keyboard.press('Escape')
    await eventually(focused).toBe('Operation')
  })

  test('the token lives only in this tab, and a new page of the tab still has it', async () => {
    const { page } = await explorer.open()
    await pick(page, 'media.owner')
    const stored = () =>
      page.evaluate<{ session: string; local: string; cookies: string }>(
        '({ session: JSON.stringify(sessionStorage), local: JSON.stringify(localStorage), cookies: document.cookie })',
      )
    const { session, local, cookies } = await stored()
    expect(session).toMatch(/eyJ[\w-]+\.eyJ/)
    expect(local).not.toContain('eyJ')
    expect(cookies).toBe('')
    await page.reload()
    await page.getByRole('button', { name: '1 scope' }).waitFor()
    await editorReady(page)
    await example(page, 'A refused field')
    await run(page)
    expect((await answer(page)).errors).toBeUndefined()
    await picker(page).click()
    await page.getByRole('button', { name: 'None' }).click()
    expect((await stored()).session).not.toContain('eyJ')
  })

  test('a browser that stores nothing is told of, and what another version of the page stored stops nothing', async () => {
    const other = `
      if (sessionStorage.length === 0) {
        sessionStorage.setItem('tessera:workspace', '{"drafts":[{"id":"1"}],"currentId":"1"}')
        sessionStorage.setItem('tessera:session', '{"scopes":1,"token":2}')
      }
      Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }`
    const denied = `for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError') } })`
    for (const script of [other, denied]) {
      const { page, faults } = await explorer.open(undefined, {
        prepare: async (page) => void (await page.addInitScript(script)),
      })
      await pick(page, 'metrics.read')
      await writeEditor(page, 'operation', '{ metrics { buildInfo { version } } }')
      await page.locator('.toast').getByText('The browser stores no more').waitFor()
      await run(page)
      expect((await answer(page)).data.metrics.buildInfo.version).toEqual(expect.any(String))
      await page.getByRole('button', { name: 'Dark colours' }).click()
      await page.getByRole('button', { name: 'Light colours' }).waitFor()
      expect(faults).toEqual([])
    }
  })

  test('the history leaves room for what is saved', async () => {
    const long = { query: '{ mediaQuota { used } }', variables: 'x'.repeat(49_000), at: 1 }
    const runs = Array.from({ length: 40 }, (_, n) => ({ ...long, id: String(n) }))
    const { page } = await explorer.open(undefined, {
      prepare: async (page) =>
        void (await page.addInitScript(
          `localStorage.setItem('tessera:history', ${JSON.stringify(JSON.stringify(runs))})`,
        )),
    })
    await writeEditor(page, 'operation', '{ mediaQuota { used } }')
    await run(page)
    const stored = await page.evaluate<string>("localStorage.getItem('tessera:history')")
    expect(JSON.parse(stored)[0]).toMatchObject({ query: '{ mediaQuota { used } }', status: 200 })
    expect(stored.length).toBeLessThan(1_010_000)
    expect(stored.length).toBeGreaterThan(900_000)
  })

  test('with real services behind the graph its examples come from the schema, and a token is pasted: sent to the graph, never to Apollo', async () => {
    await using real = await startGraph({
      env: { TESSERA_JWT_SECRET: 'a secret of the issuer, long enough' },
      urls: {},
    })
    await using there = await explorer.visit(new URL('/?editor=built-in', real.url).href, {
      elsewhere: { [frame]: asFrame },
      prepare: withStandIn,
    })
    const { page } = there
    await editorReady(page)
    const titles = await page.locator('.example-title').allTextContents()
    expect(titles.some((title) => title.startsWith('Paging: '))).toBe(true)
    expect(titles).not.toContain('First video')
    await writeEditor(page, 'operation', '{ video(videoId: "u62wyH56M7e") { fileDetails { fileName } } }')
    await run(page)
    await page.getByText('Missing scope: media.owner').waitFor()
    await there.screenshot('explorer/real-services')
    await page.getByRole('button', { name: 'Paste a token' }).click()
    await page.getByLabel('Bearer token').fill('Bearer not.a.token')
    await page.getByRole('button', { name: 'Use it' }).click()
    // What was refused runs again by itself.
    await eventually(async () => (await answer(page))?.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
    await page.getByRole('button', { name: 'Token failed' }).waitFor()
    await page.getByRole('button', { name: 'Paste another token' }).click()
    await page.getByRole('dialog', { name: 'Token' }).getByText('The gateway refuses this token').waitFor()
    await there.screenshot('explorer/token-failed')
    await page.keyboard.press('Escape')
    expect(await page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain('not.a.token')

    await page.getByRole('link', { name: 'Open in Apollo Sandbox' }).click()
    await page.frameLocator('iframe').getByText('Apollo Sandbox').waitFor()
    const state = await page.evaluate<object>('embedded.at(-1).initialState')
    expect(state).toHaveProperty('document')
    expect(JSON.stringify(state)).not.toContain('not.a.token')
    const sent = page.waitForRequest(real.url)
    await page.evaluate(
      `embedded.at(-1).handleRequest('${real.url}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ mediaQuota { used } }"}' })`,
    )
    expect((await sent).headers().authorization).toBe('Bearer not.a.token')
    expect(there.outside.join()).not.toContain('not.a.token')
  })
})
