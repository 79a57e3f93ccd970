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
    this.frame.title = 'Apollo Sandbox'
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

  const open = (path = '?editor=built-in', options: VisitOptions = {}) =>
    visit(browser, `${address}${path}`, options)
  const example = async (page: Page, title: string) => {
    await page.getByRole('tab', { name: 'Examples' }).click()
    await page.locator('.examples').getByRole('button', { name: title }).click()
  }
  const editorReady = (page: Page) => page.getByRole('textbox', { name: 'Operation', exact: true }).waitFor()
  const answer = async (page: Page) => {
    const text = await editorText(page, 'answer')
    return text === '' ? undefined : JSON.parse(text)
  }
  /** Presses a button that sends the operation, and waits for what comes back. */
  const press = async (page: Page, name: string) => {
    const answered = page.waitForResponse((response) => response.url().endsWith('/graphql'))
    await page.getByRole('button', { name, exact: true }).click()
    await answered
    await page.locator('.result[aria-busy=false]').waitFor()
  }
  const run = async (page: Page) => {
    await press(page, 'Run')
    await page.getByRole('tab', { name: 'Answer' }).click()
    await eventually(() => editorText(page, 'answer')).not.toBe('')
  }
  const picker = (page: Page) => page.locator('.bar .tool-narrow[popovertarget]')
  /** Opens the picker, and closes it again after what happened in it. */
  const pick = async (page: Page, ...scopes: string[]) => {
    await picker(page).click()
    for (const scope of scopes) {
      const made = page.waitForResponse((response) => response.url().endsWith('/explorer/token'))
      await page.getByRole('dialog', { name: 'Scopes' }).getByText(scope, { exact: true }).click()
      await made
      await page.locator('.bar .tool-narrow[popovertarget][aria-busy=false]').waitFor()
    }
    await page.keyboard.press('Escape')
  }

  test("offline it tries Apollo's script once, shows its own editor instead, and asks no other host for anything", async () => {
    await using there = await open('')
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
      await using there = await open('', { elsewhere, prepare: (page) => page.clock.install() })
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
    await using there = await open()
    await editorReady(there.page)
    expect(there.outside).toEqual([])

    await using chosen = await open('', { elsewhere: { [script]: asScript, [frame]: asFrame } })
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
    await using there = await visit(browser, new URL('/', plain.url).href)
    await editorReady(there.page)
    expect(there.outside).toEqual([])
    expect(await there.page.getByRole('group', { name: 'Editor' }).count()).toBe(0)
    expect(there.faults).toEqual([])

    await using strict = await startGraph({ env: { TESSERA_EXPLORER: 'sandbox' } })
    await using alone = await visit(browser, new URL('/', strict.url).href)
    await alone.page.getByText('Apollo Sandbox cannot be reached from here.').waitFor()
    expect(await alone.page.locator('.workbench').count()).toBe(0)
  })

  test('the first load, schema included, is below a megabyte', async () => {
    let bytes = 0
    await using there = await open('?editor=built-in', {
      prepare: async (page) => {
        page.on('requestfinished', async (request) => {
          const { responseBodySize, responseHeadersSize } = await request.sizes()
          bytes += responseBodySize + responseHeadersSize
        })
      },
    })
    const { page } = there
    await editorReady(page)
    await page.getByRole('tab', { name: 'Schema' }).click()
    await page.getByRole('searchbox', { name: 'Search the schema' }).waitFor()
    await eventually(() => bytes).toBeGreaterThan(300_000)
    expect(bytes).toBeLessThan(1_000_000)
  })

  test('an outline of the page is shown before any script has run', async () => {
    const held = Promise.withResolvers<void>()
    await using there = await open('?editor=built-in', {
      prepare: async (page) => {
        await page.route(/\/explorer\/assets\/.*\.js$/, async (route) => {
          await held.promise
          await route.fallback()
        })
      },
      wait: 'commit',
    })
    const { page } = there
    await page.locator('.skeleton-page').waitFor()
    await there.screenshot('explorer/skeleton')
    held.resolve()
    await editorReady(page)
    expect(await page.locator('.skeleton-page').count()).toBe(0)
    expect(there.faults).toEqual([])
  })

  test('a refused field opens with its scope: ticked in the picker, and by the offer beside the refusal', async () => {
    await using there = await open()
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

  test('the token lives in this tab alone, and a new page of the tab still has it', async () => {
    await using there = await open()
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
    await picker(page).click()
    await page.getByRole('button', { name: 'None' }).click()
    expect((await stored()).session).not.toContain('eyJ')
  })

  test('an operation is explained before it is paid: price, calls, parts, scopes and plan, and nothing is run', async () => {
    await using there = await open()
    const { page } = there
    await editorReady(page)
    await example(page, 'Write a comment')
    graph.sandbox.reset()
    await press(page, 'Explain')
    const panel = page.getByTestId('explain')
    await panel.waitFor()
    const chip = panel.locator('.chip', { hasText: 'media.write' })
    expect(await chip.getAttribute('data-missing')).toBe('true')
    await panel.getByRole('button', { name: 'Add 1 scope' }).click()
    await panel.locator('.chip[data-missing=false]', { hasText: 'media.write' }).waitFor()
    expect(await panel.getByTestId('units').textContent()).toBe('50')
    await panel.getByText('commentThreads.insert').waitFor()
    expect(await panel.getByTestId('plan').textContent()).toContain('videos')
    expect(graph.sandbox.journal).toEqual([])

    await page.getByRole('button', { name: 'Explain only' }).click()
    await example(page, 'First video')
    await press(page, 'Run')
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
    expect(graph.sandbox.journal).toEqual([])
  })

  test('errors, an answer that is no JSON and a gateway that is gone are told in words', async () => {
    await using there = await open()
    const { page } = there
    await editorReady(page)
    await writeEditor(page, 'operation', '{ nothingOfThisName }')
    await run(page)
    const notices = page.locator('.notice-failed')
    await notices.getByText(/Cannot query field/).waitFor()
    await notices.getByText('GRAPHQL_VALIDATION_FAILED').waitFor()
    await press(page, 'Explain')
    await notices.getByText(/Cannot query field/).waitFor()

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
    await page.route(graph.url, (route) => (answers.shift() ?? ((each: Route) => each.fallback()))(route))
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
    expect(there.faults).toEqual([])
  })

  test('what is written is completed and checked against the schema, and the schema is read beside it', async () => {
    await using there = await open()
    const { page } = there
    await editorReady(page)
    await page.getByRole('tab', { name: 'Schema' }).click()
    const search = page.getByRole('searchbox', { name: 'Search the schema' })
    await search.fill('video.fileD')
    await page.getByRole('button', { name: 'Video.fileDetails', exact: true }).click()
    await page.locator('.docs-needs').getByText('media.owner').first().waitFor()
    await search.fill('mediaQuota')
    await page.getByRole('button', { name: 'Query.mediaQuota', exact: true }).click()
    await page.getByRole('button', { name: 'Try it' }).click()
    await eventually(() => editorText(page, 'operation')).toContain('query MediaQuota')
    await run(page)
    expect((await answer(page)).data.mediaQuota.used).toEqual(expect.any(Number))

    await writeEditor(page, 'operation', '')
    await page.getByRole('textbox', { name: 'Operation', exact: true }).focus()
    await page.keyboard.type('{ mediaQ')
    await page.locator('.cm-tooltip-autocomplete').getByText('mediaQuota', { exact: true }).waitFor()
    await writeEditor(page, 'operation', '{ mediaQuota { nothing } }')
    await page.locator('.cm-lintRange-error').waitFor()
    // What ran is kept, and what was written stays in a tab of its own.
    await page.getByRole('tab', { name: 'History' }).click()
    await page
      .getByRole('button', { name: /^MediaQuota/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Close Untitled' }).waitFor()
    expect(there.faults).toEqual([])
  })

  test('where the schema cannot be read it says why, and operations run all the same', async () => {
    await using closed = await startGraph({ env: { TESSERA_INTROSPECTION: 'false' } })
    await using there = await visit(browser, new URL('/?editor=built-in', closed.url).href)
    const { page } = there
    await editorReady(page)
    await page.getByText('The schema cannot be read.').waitFor()
    await run(page)
    expect((await answer(page)).data.video.snippet.title).toBe('The first soup')
    await page.getByRole('tab', { name: 'Schema' }).click()
    await page.getByText('The schema cannot be read.').waitFor()
    expect(there.faults).toEqual([])
  })

  test('a document of several operations runs the one that is picked, or that the cursor is in', async () => {
    await using there = await open()
    const { page } = there
    await editorReady(page)
    await writeEditor(
      page,
      'operation',
      'query One { mediaQuota { used } }\nquery Two { metrics { __typename } }',
    )
    await page.getByRole('combobox', { name: 'Which operation to run' }).selectOption('Two')
    await run(page)
    expect((await answer(page)).data).toEqual({ metrics: { __typename: 'Metrics' } })
    await page.getByRole('textbox', { name: 'Operation', exact: true }).focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Control+Enter')
    await eventually(async () => (await answer(page))?.data?.mediaQuota).toBeDefined()
  })

  describe('ranges', () => {
    const range = (query: string, step = '1m') =>
      `queryRange(query: ${JSON.stringify(query)}, start: 1795200000, end: 1795207200, step: "${step}") { series { metric samples { time value } } }`
    const runToCharts = async (page: Page) => {
      await press(page, 'Run')
      await page.getByTestId('charts').waitFor()
    }

    test('are drawn as charts, each with its expression, its series and their values, and can be resized', async () => {
      await using there = await open()
      const { page } = there
      await editorReady(page)
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
      expect(there.faults).toEqual([])
    })

    test('of every series there is, of more than can be told apart, and with samples that are no numbers, are drawn all the same', async () => {
      await using there = await open()
      const { page } = there
      await editorReady(page)
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
      await runToCharts(page)
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
    await page.getByRole('button', { name: 'Explain only' }).click()
    await relay({ query: '{ video(videoId: "u62wyH56M7e") { fileDetails { fileName } } }' })
    await page.getByText('Missing scope: media.owner').waitFor()
    // What the editor asks of the schema is still answered.
    expect((await relay({ query: '{ __schema { queryType { name } } }' })).data).toBeDefined()
    expect(there.faults).toEqual([])
  })

  test('it is dark where the system is, light where it is not, and as chosen from then on', async () => {
    await using there = await open('?editor=built-in', { context: { colorScheme: 'dark' } })
    const { page } = there
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

  test('with real services behind the graph its examples come from the schema, and a token is pasted: sent to the graph, never to Apollo', async () => {
    await using real = await startGraph({
      env: { TESSERA_JWT_SECRET: 'a secret of the issuer, long enough' },
      urls: {},
    })
    await using there = await visit(browser, new URL('/?editor=built-in', real.url).href, {
      elsewhere: { [script]: asScript, [frame]: asFrame },
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
    await page.getByRole('button', { name: 'Token set' }).waitFor()
    await run(page)
    expect((await answer(page)).errors[0].extensions.code).toBe('UNAUTHENTICATED')
    await page.getByRole('button', { name: 'Token failed' }).waitFor()
    await page.getByRole('button', { name: 'Paste another token' }).click()
    await page.getByRole('dialog', { name: 'Token' }).getByText('The gateway refuses this token').waitFor()
    await there.screenshot('explorer/token-failed')
    await page.keyboard.press('Escape')
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
