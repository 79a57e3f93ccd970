/**
 * The explorer page in a real browser, offline: no request leaves for another host unless the test stands in
 * for that host. Screenshots: `test-artifacts/explorer/`.
 */
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium, type VisitOptions, visit, withChromium } from '../support/chromium.ts'
import { buildPage, editorText, writeEditor } from '../support/explorer-page.ts'
import { type Graph, startGraph } from '../support/graph.ts'

const script =
  'https://embeddable-sandbox.cdn.apollographql.com/_latest/embeddable-sandbox.umd.production.min.js'
const frame = 'https://sandbox.embed.apollographql.com/'

/** As much of it as is looked at. */
interface Canvas {
  readonly width: number
  readonly height: number
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray }
  }
}

/** Keeps what it is given, and puts a frame of Apollo's into the page as the real one does. */
const standIn = `
window.embedded = []
window.EmbeddedSandbox = class {
  constructor(options) {
    window.embedded.push(options)
    this.frame = document.createElement('iframe')
    this.frame.src = '${frame}sandbox/explorer'
    options.target.append(this.frame)
  }
  dispose() { this.frame.remove() }
}`
const asScript = (route: Route) => route.fulfill({ contentType: 'text/javascript', body: standIn })
const asFrame = (route: Route) =>
  route.fulfill({
    contentType: 'text/html',
    body: `<h1>Apollo Sandbox</h1><script>parent.postMessage({ name: 'ExplorerListeningForHandshake' }, '*')</script>`,
  })
/** A page takes its time where a machine has much to do. */
const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 10_000 })
const never = () => new Promise<void>(() => {})

describe.skipIf(!withChromium('the explorer page'))('the explorer page', () => {
  let browser: Browser
  let graph: Graph
  let address = ''
  beforeAll(async () => {
    buildPage()
    browser = await launchChromium()
    graph = await startGraph()
    address = new URL('/', graph.url).href
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await graph?.[Symbol.asyncDispose]()
  })

  const open = (path = '', options: VisitOptions = {}) => visit(browser, `${address}${path}`, options)
  const example = (page: Page, title: string) =>
    page.getByRole('navigation', { name: 'Examples' }).getByRole('button', { name: title }).click()
  const editorReady = (page: Page) => page.locator('.graphiql-editor .view-line').first().waitFor()
  const answer = async (page: Page) => {
    const text = await editorText(page, 'response')
    return text === '' ? undefined : JSON.parse(text)
  }
  const run = async (page: Page) => {
    const answered = page.waitForResponse((response) => response.url().endsWith('/graphql'))
    await page.getByRole('button', { name: /^Execute query/ }).click()
    await answered
    await eventually(() => editorText(page, 'response')).not.toBe('')
  }
  /** Opens the picker, and closes it again after what happened in it. */
  const pick = async (page: Page, ...scopes: string[]) => {
    await page.locator('button[popovertarget]').click()
    for (const scope of scopes) {
      const made = page.waitForResponse((response) => response.url().endsWith('/explorer/token'))
      await page.getByRole('dialog', { name: 'Scopes' }).getByText(scope, { exact: true }).click()
      await made
      await page.locator('button[popovertarget][aria-busy=false]').waitFor()
    }
    await page.keyboard.press('Escape')
  }

  test("offline it tries Apollo's script once, becomes GraphiQL by itself, and asks no other host for anything", async () => {
    await using there = await open()
    const { page } = there
    await editorReady(page)
    await page.getByText('Apollo Sandbox cannot be reached from here').waitFor()
    expect(await editorText(page, 'operation')).toContain('query FirstVideo')
    await run(page)
    expect((await answer(page)).data.video.snippet.title).toBe('The first soup')
    // Documentation, history, formatting and completion have parts of their own to load.
    await page.getByRole('button', { name: /Documentation Explorer/ }).click()
    await page.locator('.graphiql-doc-explorer').getByText('Query', { exact: true }).first().waitFor()
    await there.screenshot('explorer/graphiql-documentation')
    await page.getByRole('button', { name: /Documentation Explorer/ }).click()
    await page.getByRole('button', { name: /^Prettify/ }).click()
    await there.screenshot('explorer/graphiql')
    expect(there.outside).toEqual([script])
    expect(there.faults).toEqual([])
  })

  test('a script that never comes is given up after a few seconds, and so is a frame that says nothing', async () => {
    for (const [elsewhere, wait] of [
      [{ [script]: never }, 4_100],
      [{ [script]: asScript, [frame]: (route: Route) => route.abort() }, 8_100],
    ] as const) {
      await using there = await open('', { elsewhere, prepare: (page) => page.clock.install() })
      const { page, outside } = there
      await eventually(() => outside.length).toBe(Object.keys(elsewhere).length)
      await page.getByTestId('sandbox').waitFor({ state: 'attached' })
      expect(await page.locator('.graphiql-editor').count()).toBe(0)
      await page.clock.fastForward(wait)
      await page.clock.resume()
      await page.getByText('Apollo Sandbox cannot be reached from here').waitFor()
      await editorReady(page)
    }
  })

  test('GraphiQL can be had at once, by the address or by a choice that is remembered: then nothing is asked of Apollo', async () => {
    await using there = await open('?editor=graphiql')
    await editorReady(there.page)
    expect(there.outside).toEqual([])

    await using chosen = await open('', { elsewhere: { [script]: asScript, [frame]: asFrame } })
    const { page } = chosen
    await page.frameLocator('iframe').getByText('Apollo Sandbox').waitFor()
    await page.getByText('GraphiQL', { exact: true }).click()
    await editorReady(page)
    const before = chosen.outside.length
    await page.reload()
    await editorReady(page)
    expect(chosen.outside.length).toBe(before)
  })

  test('configured to be GraphiQL, it never asks Apollo; configured to be Sandbox, it says when it cannot be', async () => {
    await using plain = await startGraph({ env: { TESSERA_EXPLORER: 'graphiql' } })
    await using there = await visit(browser, new URL('/', plain.url).href)
    await editorReady(there.page)
    expect(there.outside).toEqual([])
    expect(await there.page.getByRole('group', { name: 'Editor' }).count()).toBe(0)
    expect(there.faults).toEqual([])

    await using strict = await startGraph({ env: { TESSERA_EXPLORER: 'sandbox' } })
    await using alone = await visit(browser, new URL('/', strict.url).href)
    await alone.page.getByText('Apollo Sandbox cannot be reached from here.').waitFor()
    expect(await alone.page.locator('.graphiql-container').count()).toBe(0)
  })

  test('a refused field opens with its scope: ticked in the picker, and by the offer beside the refusal', async () => {
    await using there = await open('?editor=graphiql')
    const { page } = there
    await editorReady(page)
    await example(page, 'A refused field')
    await run(page)
    const refused = await answer(page)
    expect(refused.data.video).toMatchObject({ snippet: { title: 'The first soup' }, fileDetails: null })
    expect(refused.errors[0].extensions).toMatchObject({
      code: 'UNAUTHORIZED_FIELD_OR_TYPE',
      authorization: { missing: ['media.owner'] },
    })
    await there.screenshot('explorer/refused')
    await page.locator('button[popovertarget]').click()
    await page.getByRole('dialog', { name: 'Scopes' }).waitFor()
    await there.screenshot('explorer/scopes')
    await page.keyboard.press('Escape')
    await pick(page, 'media.owner')
    await page.getByRole('button', { name: '1 scope' }).waitFor()
    await run(page)
    await eventually(async () => (await answer(page)).errors).toBeUndefined()
    expect((await answer(page)).data.video.fileDetails.fileName).toEqual(expect.any(String))
    await there.screenshot('explorer/opened')

    await example(page, 'Messages')
    await run(page)
    expect((await answer(page)).errors.length).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Add and run again' }).click()
    await page.getByRole('button', { name: '3 scopes' }).waitFor()
    await eventually(async () => (await answer(page))?.data?.messages?.[0]?.author?.username).toEqual(
      expect.any(String),
    )
  })

  test('the token lives in this tab alone, and a new page of the tab still has it', async () => {
    await using there = await open('?editor=graphiql')
    const { page } = there
    await editorReady(page)
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
    await page.locator('button[popovertarget]').click()
    await page.getByRole('button', { name: 'None' }).click()
    expect((await stored()).session).not.toContain('eyJ')
  })

  test('an operation is explained before it is paid: price, calls, scopes and plan, and nothing is run', async () => {
    await using there = await open('?editor=graphiql')
    const { page } = there
    await editorReady(page)
    await example(page, 'Write a comment')
    graph.sandbox.reset()
    await page.getByRole('button', { name: /^Explain: what/ }).click()
    const panel = page.getByTestId('explain')
    await panel.waitFor()
    const chip = panel.locator('.chip', { hasText: 'media.write' })
    expect(await chip.getAttribute('data-missing')).toBe('true')
    await panel.getByRole('button', { name: 'Add 1 scope' }).click()
    await panel.locator('.chip[data-missing=false]', { hasText: 'media.write' }).waitFor()
    expect(await panel.getByTestId('units').textContent()).toBe('50')
    await panel.getByText('commentThreads.insert').waitFor()
    expect(await panel.getByTestId('plan').textContent()).toContain('videos')
    await there.screenshot('explorer/explain')
    expect(graph.sandbox.journal).toEqual([])

    await page.getByRole('button', { name: 'Explain only' }).click()
    await example(page, 'Threads, authors, videos')
    await run(page)
    await panel.getByText('commentThreads.list').waitFor()
    expect((await answer(page)).data).toBeUndefined()
    await there.screenshot('explorer/explain-threads')
    expect(graph.sandbox.journal).toEqual([])
  })

  test('what cannot be explained says why', async () => {
    await using there = await open('?editor=graphiql')
    const { page } = there
    await editorReady(page)
    await writeEditor(page, 'operation', '{ nothingOfThisName }')
    await page.getByRole('button', { name: /^Explain: what/ }).click()
    await page
      .getByRole('region', { name: 'Explanation' })
      .getByText(/Cannot query field/)
      .waitFor()
  })

  describe('ranges', () => {
    const range = (query: string, step = '1m') =>
      `queryRange(query: ${JSON.stringify(query)}, start: 1795200000, end: 1795207200, step: "${step}") { series { metric samples { time value } } }`
    test('are drawn as charts, each with its expression, its series and their values', async () => {
      await using there = await open('?editor=graphiql')
      const { page } = there
      await editorReady(page)
      await pick(page, 'metrics.read')
      await example(page, 'Metrics over time')
      await run(page)
      const charts = page.getByTestId('charts').getByRole('figure')
      await eventually(() => charts.count()).toBe(2)
      const rates = page.getByRole('figure', { name: /sum by \(method\)/ })
      await rates.getByRole('img', { name: /2 series from .* to / }).waitFor()
      await rates.getByRole('button', { name: '{method="GET"}' }).waitFor()
      // Something is drawn: not all of the canvas is empty.
      const painted = await rates.locator('canvas').evaluate((canvas) => {
        const { width, height } = canvas as unknown as Canvas
        const { data } = (canvas as unknown as Canvas).getContext('2d').getImageData(0, 0, width, height)
        return data.some((byte) => byte !== 0)
      })
      expect(painted).toBe(true)
      await there.screenshot('explorer/charts')

      const instant = rates.locator('time')
      const last = await instant.textContent()
      await rates.getByRole('slider').focus()
      await page.keyboard.press('Home')
      await eventually(() => instant.textContent()).not.toBe(last)
      const line = rates.getByRole('button', { name: '{method="GET"}' })
      await line.press('Enter')
      expect(await line.getAttribute('aria-pressed')).toBe('false')
      await page.getByRole('button', { name: 'Close' }).click()
      expect(await charts.count()).toBe(0)
      expect(there.faults).toEqual([])
    })

    test('of every series there is, of more than can be told apart, and with samples that are no numbers, are drawn all the same', async () => {
      await using there = await open('?editor=graphiql')
      const { page } = there
      await editorReady(page)
      await pick(page, 'metrics.read')
      await writeEditor(
        page,
        'operation',
        `{ metrics { all: ${range('{job=~".+"}', '10m')} odd: ${range('special_value')} } }`,
      )
      await run(page)
      const all = page.getByRole('figure', { name: /^\{job=~/ })
      await eventually(() => all.locator('tbody tr').count()).toBeGreaterThan(80)
      const odd = page.getByRole('figure', { name: /^special_value/ })
      await odd.getByText(/are NaN or infinite, and not drawn/).waitFor()
      for (const text of ['NaN', '+Inf', '-Inf', '1.5E21'])
        await odd.getByRole('cell', { name: text, exact: true }).first().waitFor()
      await there.screenshot('explorer/charts-many')
      await odd.scrollIntoViewIfNeeded()
      await there.screenshot('explorer/charts-special')

      // More series than the sandbox has: an answer of the test's own.
      const series = Array.from({ length: 260 }, (_, index) => ({
        metric: { __name__: 'made', index: String(index) },
        samples: [0, 60, 120].map((time) => ({ time, value: time === 60 ? 'NaN' : String(index + time) })),
      }))
      const asked = `{ metrics { ${range('made')} } }`
      await page.route(graph.url, async (route) => {
        if (!route.request().postData()?.includes('made')) return route.fallback()
        return route.fulfill({ json: { data: { metrics: { queryRange: { series } } } } })
      })
      await writeEditor(page, 'operation', asked)
      await run(page)
      const made = page.getByRole('figure', { name: 'made 260 series' })
      await made.getByText('260 series, 3 instants; the first 200 are drawn; 260 samples are NaN').waitFor()
      expect(await made.locator('tbody tr').count()).toBe(260)
      expect(await made.getByRole('button', { name: 'made{index="259"}' }).isDisabled()).toBe(true)
      expect(there.faults).toEqual([])
    })
  })

  test("where Apollo's script comes, the page embeds Sandbox on this endpoint, and all its requests go through the page", async () => {
    graph.sandbox.reset()
    await using there = await open('', { elsewhere: { [script]: asScript, [frame]: asFrame } })
    const { page } = there
    await page.frameLocator('iframe').getByText('Apollo Sandbox').waitFor()
    await there.screenshot('explorer/sandbox')
    const options = () =>
      page.evaluate<Record<string, unknown>[]>(
        'embedded.map(({ target, handleRequest, ...rest }) => ({ ...rest, relayed: typeof handleRequest }))',
      )
    expect(await options()).toEqual([
      {
        initialEndpoint: graph.url,
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
    await example(page, 'Metrics over time')
    await eventually(async () => (await options()).at(-1)?.initialState).toMatchObject({
      document: expect.stringContaining('query Rates'),
      sharedHeaders: { Authorization: expect.stringMatching(/^Bearer eyJ/) },
    })
    expect(await page.locator('iframe').count()).toBe(1)
    const relay = (body: unknown) =>
      page.evaluate<{ data?: unknown; errors?: unknown; extensions?: { explain?: unknown } }>(
        `embedded.at(-1).handleRequest(${JSON.stringify(graph.url)}, { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(body))} }).then((response) => response.json())`,
      )
    const query =
      '{ metrics { queryRange(query: "up", start: 1795200000, end: 1795207200, step: "10m") { series { metric samples { time value } } } } }'
    expect((await relay({ query })).errors).toBeUndefined()
    await page.getByRole('figure', { name: /^up/ }).waitFor()
    await there.screenshot('explorer/sandbox-chart')
    await page.getByRole('button', { name: 'Explain only' }).click()
    graph.sandbox.reset()
    expect((await relay({ query })).extensions?.explain).toBeDefined()
    await page.getByTestId('explain').waitFor()
    expect(graph.sandbox.journal).toEqual([])
    // What the editor asks of the schema is still answered.
    expect((await relay({ query: '{ __schema { queryType { name } } }' })).data).toBeDefined()
    expect(there.faults).toEqual([])
  })

  test('it is dark where the system is, light where it is not, and as chosen from then on', async () => {
    await using there = await open('?editor=graphiql', { context: { colorScheme: 'dark' } })
    const { page } = there
    await editorReady(page)
    const theme = () => page.evaluate<string>('document.documentElement.dataset.theme')
    expect(await theme()).toBe('dark')
    await pick(page, 'metrics.read')
    await example(page, 'Metrics over time')
    await run(page)
    await page.getByRole('figure').first().waitFor()
    await there.screenshot('explorer/dark')
    await page.getByRole('button', { name: 'Light colours' }).click()
    expect(await theme()).toBe('light')
    await page.reload()
    await editorReady(page)
    expect(await theme()).toBe('light')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.getByRole('button', { name: 'Dark colours' }).waitFor()
  })

  test('everything is reached and worked by the keyboard alone, and nothing is cut off on a small screen', async () => {
    await using there = await open('?editor=graphiql', { context: { viewport: { width: 800, height: 900 } } })
    const { page } = there
    await editorReady(page)
    const focused = () =>
      page.evaluate<string>(
        `(() => { const at = document.activeElement; return (at.getAttribute('aria-label') ?? at.closest('label')?.textContent ?? at.textContent ?? '').trim() })()`,
      )
    await page.evaluate('document.activeElement.blur()')
    const seen: string[] = []
    for (let step = 0; step < 14; step++) {
      await page.keyboard.press('Tab')
      seen.push(await focused())
    }
    for (const part of ['GraphiQL', 'Explain only', 'No scopes', 'Dark colours'])
      expect(seen.some((text) => text.includes(part))).toBe(true)
    expect(seen.some((text) => text.startsWith('A refused field'))).toBe(true)

    await page.getByRole('button', { name: 'No scopes' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: '1 scope' }).waitFor()
    await page.keyboard.press('Escape')
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(wide).toBeLessThanOrEqual(800)
    await there.screenshot('explorer/narrow')
  })

  test('with real services behind the graph no token is made: one is pasted, sent to the graph, and never to Apollo', async () => {
    await using real = await startGraph({
      env: { TESSERA_JWT_SECRET: 'a secret of the issuer, long enough' },
    })
    await using there = await visit(browser, new URL('/?editor=graphiql', real.url).href, {
      elsewhere: { [script]: asScript, [frame]: asFrame },
    })
    const { page } = there
    await editorReady(page)
    await page.getByRole('button', { name: 'No token', exact: true }).click()
    await page.getByLabel('Bearer token').fill('not.a.token')
    await page.getByRole('button', { name: 'Use it' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Token set' }).waitFor()
    await run(page)
    expect((await answer(page)).errors[0].extensions.code).toBe('UNAUTHENTICATED')
    expect(await page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain('not.a.token')

    await page.getByText('Apollo Sandbox', { exact: true }).click()
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
