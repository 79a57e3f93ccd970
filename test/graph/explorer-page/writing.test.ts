/** Writing an operation in the explorer page: the schema beside it, completion, several operations. In a real browser, offline. */
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { compose } from '../../../engine/supergraph/compose/index.ts'
import { withChromium } from '../../support/chromium.ts'
import { answer, eventually, run } from '../../support/explorer-actions.ts'
import { editorReady, editorText, useExplorer, writeEditor } from '../../support/explorer-page.ts'
import { startGraph } from '../../support/graph.ts'

describe.skipIf(!withChromium('the editor of the explorer page'))('the editor of the explorer page', () => {
  const explorer = useExplorer()

  test('what is written is completed and checked against the schema, and the schema is read beside it', async () => {
    const { page, faults } = await explorer.open()
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
      .getByRole('button', { name: /^query MediaQuota/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Close Untitled' }).waitFor()
    expect(faults).toEqual([])
  })

  test('if the schema cannot be read it says why, and operations run all the same', async () => {
    await using closed = await startGraph({ env: { TESSERA_INTROSPECTION: 'false' } })
    await using there = await explorer.visit(new URL('/?editor=built-in', closed.url).href)
    const { page } = there
    await editorReady(page)
    await page.getByText('The schema cannot be read.').waitFor()
    await run(page)
    expect((await answer(page)).data.video.snippet.title).toBe('The first soup')
    await page.getByRole('tab', { name: 'Schema' }).click()
    await page.getByText('The schema cannot be read.').waitFor()
    expect(there.faults).toEqual([])
    // A proxy answers instead of the gateway.
    await page.route('**/graphql', (route) => route.fulfill({ status: 502, body: 'bad gateway' }))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The gateway answers with status 502.').waitFor()
  })

  test('the schema is shown and downloaded with its defaults as they are written, and one field of a @oneOf input is tried', async () => {
    const typeDefs = `
      directive @repeated(times: Int = 2) repeatable on FIELD
      scalar Json @specifiedBy(url: "https://example.com/json")
      type Query {
        "What is found."
        found(by: By!, filter: Filter = { tags: ["a"] }, extra: Json = { list: [1], digits: 12345678901234567890 }): Int
      }
      input By @oneOf { id: ID name: String }
      input Filter { tags: [String!] = ["all"] size: Float = 1.50 note: String }`
    const { supergraph = '' } = compose([{ name: 'finder', url: 'http://127.0.0.1:1/', typeDefs }])
    await using graph = await startGraph({ graph: { supergraph }, env: { TESSERA_EXPLORER: 'built-in' } })
    await using there = await explorer.visit(new URL('/', graph.url).href)
    const { page } = there
    await editorReady(page)
    await page.getByRole('tab', { name: 'Schema' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'SDL' }).click(),
    ])
    const sdl = await readFile(await file.path(), 'utf8')
    for (const text of [
      'filter: Filter = {tags: ["a"]}, extra: Json = {list: [1], digits: 12345678901234567890}): Int',
      'tags: [String!] = ["all"]\n  size: Float = 1.50\n  note: String\n',
      'input By @oneOf {',
      'scalar Json @specifiedBy(url: "https://example.com/json")',
    ])
      expect(sdl).toContain(text)
    await page.getByRole('button', { name: 'found', exact: true }).click()
    await page.getByText('= {list: [1], digits: 12345678901234567890}').waitFor()
    await page.getByRole('button', { name: 'Try it' }).click()
    await eventually(() => editorText(page, 'variables')).toBe(
      JSON.stringify({ by: { id: '<id>' } }, null, 2),
    )
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByText('= 1.50').waitFor()
    expect(there.faults).toEqual([])
  })

  test('a document of several operations runs the one that is picked, or that the cursor is in', async () => {
    const { page } = await explorer.open()
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
})
