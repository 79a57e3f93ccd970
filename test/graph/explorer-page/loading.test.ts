/** How the explorer page begins: what it loads, what is seen before it has loaded, its colours. In a real browser, offline. */
import { describe, expect, test } from 'vitest'
import { withChromium } from '../../support/chromium.ts'
import { answer, eventually, run } from '../../support/explorer-actions.ts'
import { editorReady, useExplorer } from '../../support/explorer-page.ts'

describe.skipIf(!withChromium('the explorer page'))('the explorer page', () => {
  const explorer = useExplorer()

  test('the first load, schema included, is at most 700 kB, also if answers are not compressed', async () => {
    let bytes = 0
    const { page } = await explorer.open('?editor=built-in', {
      prepare: async (page) => {
        page.on('requestfinished', async (request) => {
          const { responseBodySize, responseHeadersSize } = await request.sizes()
          bytes += responseBodySize + responseHeadersSize
        })
      },
    })
    await editorReady(page)
    await page.getByRole('tab', { name: 'Schema' }).click()
    await page.getByRole('searchbox', { name: 'Search the schema' }).waitFor()
    await page.locator('.price').getByText('1 unit').waitFor()
    await eventually(() => bytes).toBeGreaterThan(300_000)
    expect(bytes).toBeLessThanOrEqual(700_000)
  })

  test('the graph answers a page whose address has a user and a password, as of a proxy that asks for them', async () => {
    const address = new URL('/?editor=built-in', explorer.graph.url)
    address.username = 'anna'
    address.password = 'secret'
    await using there = await explorer.visit(address.href)
    await editorReady(there.page)
    await run(there.page)
    expect(await answer(there.page)).toMatchObject({ data: { video: { snippet: {} } } })
  })

  test('a letter can be typed after a few scripts, before the graph has answered anything', async () => {
    const held = Promise.withResolvers<void>()
    const loaded: string[] = []
    const { page } = await explorer.open('?editor=built-in', {
      prepare: async (page) => {
        await page.route('**/*', async (route) => {
          const { pathname } = new URL(route.request().url())
          loaded.push(pathname)
          if (pathname !== '/' && !pathname.startsWith('/explorer/assets/')) await held.promise
          await route.fallback()
        })
      },
      wait: 'commit',
    })
    const editor = page.locator('.cm-content').first()
    await eventually(() => editor.evaluate((element) => document.activeElement === element)).toBe(true)
    await page.keyboard.type('z')
    expect(await editor.textContent()).toContain('z')
    // Each further one would be another way to the server and back before the first letter.
    expect(loaded.filter((pathname) => pathname.endsWith('.js')).length).toBeLessThanOrEqual(12)
    held.resolve()
    await editorReady(page)
  })

  test('the list of commands opens at once, takes the first letter that is typed, and gives the focus back', async () => {
    const loaded: string[] = []
    const { page } = await explorer.open('?editor=built-in', {
      prepare: async (page) => {
        page.on('requestfinished', (request) => loaded.push(new URL(request.url()).pathname))
      },
    })
    await editorReady(page)
    const isOverlays = (pathname: string) => /\/overlays-.*\.js$/.test(pathname)
    await eventually(() => loaded.filter(isOverlays)).toHaveLength(1)
    const [overlays] = loaded.filter(isOverlays)
    await page.evaluate((pathname) => import(pathname), String(overlays))
    await page.keyboard.press('Control+k')
    await page.keyboard.type('format')
    const words = page.getByRole('combobox', { name: /^Find a command/ })
    expect(await words.inputValue()).toBe('format')

    // The editor has the focus again, also with another operation in it.
    const editor = page.locator('.cm-content').first()
    const hasFocus = () => editor.evaluate((element) => document.activeElement === element)
    await page.keyboard.press('Escape')
    await words.waitFor({ state: 'detached' })
    await eventually(hasFocus).toBe(true)
    await page.keyboard.press('Control+k')
    await words.fill('A refused field')
    await page.keyboard.press('Enter')
    await editor.getByText('fileDetails').first().waitFor()
    await eventually(hasFocus).toBe(true)
  })

  test('the list of commands is loaded again when it is opened, if it could not be loaded before', async () => {
    const isOverlays = /\/overlays-.*\.js$/
    const failed = Promise.withResolvers<void>()
    const { page } = await explorer.open('?editor=built-in', {
      prepare: async (page) => {
        await page.route(isOverlays, (route) => route.abort(), { times: 1 })
        page.on('requestfailed', (request) => {
          if (isOverlays.test(request.url())) failed.resolve()
        })
      },
    })
    await editorReady(page)
    await failed.promise
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Find a command/ }).waitFor()
  })

  test('a page of which the editor cannot be loaded says so', async () => {
    const { page } = await explorer.open('?editor=built-in', {
      prepare: async (page) => void (await page.route(/\/workbench-.*\.js$/, (route) => route.abort())),
    })
    await page.getByRole('alert').getByText('Part of this page could not be loaded.').waitFor()
  })

  test('an outline of the page is shown before any script has run', async () => {
    const held = Promise.withResolvers<void>()
    const { page, faults, screenshot } = await explorer.open('?editor=built-in', {
      prepare: async (page) => {
        await page.route(/\/explorer\/assets\/.*\.js$/, async (route) => {
          await held.promise
          await route.fallback()
        })
      },
      wait: 'commit',
    })
    await page.locator('.skeleton-page').waitFor()
    await screenshot('explorer/skeleton')
    held.resolve()
    await editorReady(page)
    expect(await page.locator('.skeleton-page').count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('it is dark if the system is, light if it is not, and as chosen from then on', async () => {
    const { page } = await explorer.open('?editor=built-in', { context: { colorScheme: 'dark' } })
    await editorReady(page)
    const theme = () => page.evaluate<string>('document.documentElement.dataset.theme')
    expect(await theme()).toBe('dark')
    await page.getByRole('button', { name: 'Light colours' }).click()
    expect(await theme()).toBe('light')
    await page.reload()
    await editorReady(page)
    expect(await theme()).toBe('light')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.getByRole('button', { name: 'Dark colours' }).waitFor()
  })
})
