/** What one does in the explorer page day by day, in one page of it: keys, answers, history, links, files, the schema. In a real browser, offline. */
import { readFile } from 'node:fs/promises'
import { buildSchema } from 'graphql'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Visit, withChromium } from '../../support/chromium.ts'
import {
  answer,
  eventually,
  example,
  isPriceRequest,
  pick,
  priceLine,
  run,
  shelf,
} from '../../support/explorer-actions.ts'
import { editorReady, editorText, useExplorer, writeEditor } from '../../support/explorer-page.ts'

describe.skipIf(!withChromium('every day with the explorer page'))('every day with the explorer page', () => {
  const explorer = useExplorer()
  let there: Visit
  let page: Page
  beforeAll(async () => {
    there = await explorer.visit(explorer.graph.url.replace('graphql', ''), {
      context: { viewport: { width: 1440, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'] },
    })
    page = there.page
    await editorReady(page)
  })
  afterAll(async () => {
    expect([there.faults, there.outside]).toEqual([[], []])
    await there[Symbol.asyncDispose]()
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const said = (text: string) => page.locator('.toast').getByText(text).waitFor()
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
  const share = async (name: string) => {
    await button('Share').click()
    await page.getByRole('menuitem', { name }).click()
  }
  const command = async (words: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Find a command/ }).fill(words)
    await page.keyboard.press('Enter')
  }
  const downloaded = async (act: () => Promise<void>) => {
    const [file] = await Promise.all([page.waitForEvent('download'), act()])
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }

  test('the keys run the operation from everywhere, the page says that it runs, and what an answer is to', async () => {
    const held = Promise.withResolvers<void>()
    let asked = 0
    await page.route(explorer.graph.url, async (route) => {
      if (isPriceRequest(route.request())) return route.fallback()
      asked += 1
      await held.promise
      return route.fallback()
    })
    // On a button whose own meaning Enter is.
    await button('Dark colours').focus()
    await page.keyboard.press('Control+Enter')
    await page.locator('.strip-running').getByText('Running…').waitFor()
    held.resolve()
    await eventually(async () => (await answer(page))?.data?.video?.snippet?.title).toBe('The first soup')
    expect(await page.locator('.strip').count()).toBe(0)
    expect(await page.evaluate<string>('document.documentElement.dataset.theme')).toBe('light')
    await page.unroute(explorer.graph.url)

    await writeEditor(page, 'variables', '{ "videoId": "FYhtMOtEJiR", "more": 1 }')
    const old = page.locator('.strip-old')
    await old.getByText('This is the answer to an earlier text.').waitFor()
    await page.locator('.drawer .cm-lintRange-warning').getByText('"more"').waitFor()
    await writeEditor(page, 'variables', '{}')
    await page.getByText('No value: $videoId').waitFor()
    await page.locator('.operation-text .cm-lintRange-warning').getByText('$videoId').waitFor()
    await writeEditor(page, 'variables', '{ "videoId": "FYhtMOtEJiR" }')
    await page.getByRole('textbox', { name: 'Variables, as JSON' }).press('Control+Enter')
    await eventually(() => old.count()).toBe(0)
    expect(asked).toBe(1)
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Explain' }).waitFor()
    await page.keyboard.press('Escape')
    await button('Run').focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Run the operation').waitFor()
    await page.keyboard.press('Escape')
  })

  test('an answer is found in by search, read as a table and taken along, and its told errors are folded', async () => {
    await example(page, 'Paging through a chart')
    // Its price is in the history below, known before the run or after it.
    await eventually(() => priceLine(page).textContent()).toMatch(/1 unit$/)
    await run(page)
    await page.keyboard.press('Control+Shift+f')
    await page.keyboard.type('videoid')
    await page.getByText('1 of 5').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('2 of 5').waitFor()
    expect(await page.locator('.cm-hit').count()).toBeGreaterThan(1)
    const find = page.getByRole('searchbox', { name: 'Find in the answer' })
    await find.fill('')
    await page.getByRole('tab', { name: 'Table' }).click()
    const rows = page.locator('.rows tbody tr')
    await eventually(() => rows.count()).toBe(5)
    await find.fill('escapement')
    await eventually(() => rows.count()).toBe(1)
    const { name, text } = await downloaded(() => button('Download the answer as CSV').click())
    expect([name, text.split('\r\n')[0]]).toEqual([
      'answer.csv',
      'cursor,videoId,snippet.title,statistics.viewCount',
    ])
    expect(text.split('\r\n').length).toBe(3)

    await example(page, 'A refused field')
    await run(page)
    await page.locator('.result .cm-foldPlaceholder').waitFor()
    expect(await page.locator('.result .cm-content').textContent()).not.toContain('UNAUTHORIZED')
    // What is found is unfolded.
    await find.fill('UNAUTHORIZED')
    await eventually(() => page.locator('.result .cm-content').textContent()).toContain('UNAUTHORIZED')
    await find.fill('')
  })

  test('a link, a command and code hold the operation and never the token, and a link opens without being run', async () => {
    await page.locator('.bar .tool-narrow[popovertarget]').click()
    await page.getByRole('searchbox', { name: 'Filter the scopes' }).fill('owner')
    expect(await page.locator('.scope-group').count()).toBe(1)
    await page.getByRole('heading', { name: 'videos' }).waitFor()
    await page.getByRole('searchbox', { name: 'Filter the scopes' }).fill('')
    await page.keyboard.press('Escape')
    await pick(page, 'media.owner')
    await page.getByRole('tab', { name: 'Headers' }).click()
    await writeEditor(page, 'headers', '{ "x-mine": "secret" }')
    await page.getByRole('tab', { name: 'Variables' }).click()
    const texts: string[] = []
    for (const [item, words] of [
      ['Copy as cURL', 'Copied as a cURL command. Replace the placeholder with your token.'],
      ['Copy as fetch', 'Copied as a call of fetch.'],
      ['Copy as a typed client', 'Copied as TypeScript with the types of its answer.'],
      ['Copy a link', 'Link copied: the operation and its variables, no token.'],
    ] as const) {
      await share(item)
      await said(words)
      texts.push(await copied())
    }
    const [curl = '', fetched = '', typed = '', link = ''] = texts
    expect(curl).toContain('$TOKEN')
    expect(fetched).toContain('query RefusedField')
    expect(typed).toContain('readonly fileSize:')
    expect(texts.join()).not.toMatch(/eyJ|secret/)
    await using other = await explorer.visit(link)
    await other.page.getByText('Opened from a link. Check it before you run it.').waitFor()
    expect(await editorText(other.page, 'operation')).toContain('query RefusedField')
    expect(await editorText(other.page, 'variables')).toContain('u62wyH56M7e')
    expect(other.page.url()).not.toContain('#')
    expect(await other.page.locator('.facts').count()).toBe(0)
  })

  test('what ran is listed with its outcome, starred and deleted; what is saved goes out and comes in as files', async () => {
    await shelf(page, 'History')
    const entry = page.locator('.entries li').filter({ hasText: 'query ChartPages' })
    await entry.getByText('200').waitFor()
    await eventually(() => entry.textContent()).toContain('1 unit')
    await entry.getByRole('button', { name: 'Star' }).click()
    await button('Delete all without a star').click()
    await eventually(() => page.locator('.entries li').count()).toBe(1)
    await entry.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Operations that you run are listed here.').waitFor()
    expect(await page.evaluate<string>('JSON.stringify(localStorage)')).not.toMatch(/eyJ/)

    await page.keyboard.press('Control+s')
    await page.getByRole('textbox', { name: 'Name' }).fill('Refused, mine')
    await page.getByRole('combobox', { name: 'Folder' }).fill('Videos')
    await page.keyboard.press('Enter')
    await said('Saved as Refused, mine in Videos.')
    await shelf(page, 'Saved')
    const { name, text } = await downloaded(() => button('Export this folder').click())
    expect(name).toBe('Videos.graphql')
    expect(text).toMatch(
      /^# title: Refused, mine\n# folder: Videos\n# variables: \{"videoId":"u62wyH56M7e"\}\n/,
    )
    await button('More of Refused, mine').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const buffers = [
      { name: 'mine.graphql', mimeType: 'application/graphql', buffer: Buffer.from(text) },
      { name: 'other.gql', mimeType: '', buffer: Buffer.from('query Other { mediaQuota { used } }') },
    ]
    await page.locator('input[aria-label="Files to import"]').setInputFiles(buffers)
    await said('2 operations imported.')
    await page.getByRole('group').filter({ hasText: 'Videos' }).getByText('Refused, mine').waitFor()
    await command('other saved')
    await eventually(() => editorText(page, 'operation')).toBe('query Other { mediaQuota { used } }\n')
  })

  test('fields are ticked, the schema is taken as SDL, and the map shows its types with their services', async () => {
    await button('New operation').click()
    await shelf(page, 'Build')
    await page.getByRole('checkbox', { name: /^video 1/ }).check()
    await page.getByRole('button', { name: 'Fields of video.snippet', exact: true }).click()
    await page
      .getByRole('checkbox', { name: /^title / })
      .first()
      .check()
    await eventually(() => editorText(page, 'operation')).toContain('snippet {\n      title')
    expect(JSON.parse(await editorText(page, 'variables'))).toEqual({ videoId: '<videoId>' })
    await page.getByRole('checkbox', { name: /^snippet/ }).uncheck()
    await eventually(() => editorText(page, 'operation')).not.toContain('snippet')
    await page.getByRole('checkbox', { name: /^video 1/ }).uncheck()
    await eventually(() => editorText(page, 'operation')).toBe('')

    await shelf(page, 'Schema')
    const { name, text } = await downloaded(() => page.getByRole('button', { name: 'SDL' }).click())
    expect([name, buildSchema(text).getType('Video')?.name]).toEqual(['schema.graphql', 'Video'])
    await page.getByRole('button', { name: 'Map of types' }).click()
    const map = page.getByRole('dialog', { name: 'Map of types' })
    const video = map.getByRole('button', { name: /^Video \d+ fields/ })
    await eventually(() => video.getAttribute('title')).toMatch(/needs media\.owner/)
    for (const service of ['agents', 'messages', 'metrics', 'videos'])
      await map.getByRole('list', { name: 'Colours' }).getByText(service).waitFor()
    await video.click()
    // The whole row leads on.
    const row = page.locator('.docs-row').filter({ hasText: 'fileDetails' })
    await row.click({ position: { x: 200, y: 30 } })
    await page.getByRole('heading', { name: 'Video.fileDetails' }).waitFor()
    await page.getByRole('searchbox', { name: 'Search the schema' }).fill('VideoChart')
    await page.locator('.docs-row').first().getByText('enum').waitFor()
  })

  /** Asks for an address to upload so many bytes to, and returns the panel that sends them. */
  const askForAddress = async (name: string, bytes: number) => {
    await command('upload a file')
    const film = { name, mimeType: 'video/mp4', buffer: Buffer.alloc(bytes, 7) }
    await page.getByRole('dialog', { name: 'Upload a file' }).locator('input[type=file]').setInputFiles(film)
    await button('Ask for an address').click()
    const panel = page.getByRole('region', { name: 'Upload' })
    await panel.getByText(name).waitFor()
    return panel
  }
  /** Does `act` with each request of an upload, which has a number from 1, and keeps the ranges. */
  const whileUploading = async (act: (route: Route, request: number) => Promise<void>) => {
    const ranges: (string | undefined)[] = []
    await page.route(/\/upload\//, (route) =>
      act(route, ranges.push(route.request().headers()['content-range'])),
    )
    return ranges
  }

  test('a file is uploaded to the address that the graph gives, and continues at the part that was lost or not taken', async () => {
    await pick(page, 'media.upload')
    const panel = await askForAddress('film.mp4', 9_000_000)
    await panel.getByText('film.mp4, 9 MB').waitFor()
    const ranges = await whileUploading((route, request) => {
      if (request === 1) return route.fulfill({ status: 503 })
      return request === 4 ? route.abort('connectionreset') : route.fallback()
    })
    await panel.getByRole('button', { name: 'Send the file' }).click()
    await expect.poll(() => panel.innerText()).toMatch(/Uploaded\. Its id is [\w-]{11}\./)
    expect(ranges).toEqual([
      'bytes 0-8388607/9000000',
      'bytes */9000000',
      'bytes 0-8388607/9000000',
      'bytes 8388608-8999999/9000000',
      'bytes */9000000',
      'bytes 8388608-8999999/9000000',
    ])
    expect(await panel.getByRole('progressbar').getAttribute('value')).toBe('9000000')
    await page.unroute(/\/upload\//)
  })

  test('an upload of which nothing arrives is given up after three tries, and can be continued', async () => {
    const panel = await askForAddress('lost.mp4', 1000)
    const ranges = await whileUploading((route, request) =>
      [1, 3, 5].includes(request) ? route.abort('connectionreset') : route.fallback(),
    )
    await panel.getByRole('button', { name: 'Send the file' }).click()
    await panel.getByText('The connection was lost.').waitFor()
    expect(ranges.length).toBe(5)
    await button('Continue').click()
    await panel.getByText(/^Uploaded\. Its id is [\w-]{11}\./).waitFor()
    expect(ranges.slice(5)).toEqual(['bytes */1000', 'bytes 0-999/1000'])
    await page.unroute(/\/upload\//)
  })

  test('a part that is never answered is sent again', async () => {
    await page.clock.install()
    const panel = await askForAddress('short.mp4', 1000)
    const held = Promise.withResolvers<void>()
    const ranges = await whileUploading(async (route, request) =>
      request === 1 ? held.resolve() : route.fallback(),
    )
    await panel.getByRole('button', { name: 'Send the file' }).click()
    await held.promise
    // A report of progress that comes after the jump starts the time once more.
    const later = async (): Promise<string> => {
      await page.clock.fastForward('02:30')
      return panel.innerText()
    }
    await expect.poll(later, { interval: 3000, timeout: 60_000 }).toMatch(/Uploaded\. Its id is [\w-]{11}\./)
    expect(ranges.length).toBeGreaterThanOrEqual(3)
  })
})
