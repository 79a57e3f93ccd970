/** What is written in the explorer page is not lost by accident. In a real browser, offline. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { withChromium } from '../../support/chromium.ts'
import { eventually, shelf } from '../../support/explorer-actions.ts'
import { editorReady, editorText, useExplorer, writeEditor } from '../../support/explorer-page.ts'

const operation = (name: string): string => `query ${name} { mediaQuota { used } }`
const formatted = (name: string): string => `query ${name} {\n  mediaQuota {\n    used\n  }\n}\n`
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const said = (page: Page, text: string) => page.locator('.toast').getByText(text).waitFor()
const titles = (page: Page) => page.locator('.drafts li').allInnerTexts()

async function begin(page: Page, name: string): Promise<void> {
  await button(page, 'New operation').click()
  await writeEditor(page, 'operation', operation(name))
}

async function reopen(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Find a command/ }).fill('reopen')
  await page.keyboard.press('Enter')
}

describe.skipIf(!withChromium('the text that the explorer page keeps'))(
  'the text that the explorer page keeps',
  () => {
    const explorer = useExplorer()

    test('an operation that was closed can be opened again, with its variables, also after a reload', async () => {
      const { page } = await explorer.open()
      await begin(page, 'Closed')
      await writeEditor(page, 'variables', '{ "a": 1 }')
      await begin(page, 'Open')
      await button(page, 'Close Closed').click()
      await said(page, 'Closed was closed. It can be reopened from the commands.')
      await page.reload()
      await editorReady(page)
      await reopen(page)
      await eventually(() => editorText(page, 'operation')).toBe(operation('Closed'))
      expect(await editorText(page, 'variables')).toBe('{ "a": 1 }')
      expect(await titles(page)).toEqual(['Open', 'Closed'])
    })

    test('one operation more than can be open closes the oldest, and says so', async () => {
      const { page } = await explorer.open()
      for (let n = 0; n <= 20; n++) await begin(page, `Number${n}`)
      await said(page, 'Number0 was closed. It can be reopened from the commands.')
      expect(await titles(page)).toHaveLength(20)
      await reopen(page)
      await eventually(() => editorText(page, 'operation')).toBe(operation('Number0'))
    })

    test('a text is formatted where it is, whatever was opened or written meanwhile', async () => {
      const { page } = await explorer.open()
      const held = Promise.withResolvers<void>()
      await page.route(/prettier|standalone/, async (route) => {
        await held.promise
        return route.fallback()
      })
      await begin(page, 'Formatted')
      await button(page, 'Format').click()
      await begin(page, 'Written')
      await button(page, 'Format').click()
      await writeEditor(page, 'operation', operation('WrittenSince'))
      held.resolve()
      await page.locator('.drafts').getByRole('button', { name: 'Formatted', exact: true }).click()
      await eventually(() => editorText(page, 'operation')).toBe(formatted('Formatted'))
      await page.locator('.drafts').getByRole('button', { name: 'WrittenSince', exact: true }).click()
      await eventually(() => editorText(page, 'operation')).toBe(operation('WrittenSince'))
    })

    test('a formatter that cannot be loaded is no fault of the text', async () => {
      const { page } = await explorer.open()
      await page.route(/standalone/, (route) => route.abort())
      await button(page, 'Format').click()
      await said(page, 'The formatter could not be loaded.')
    })

    test('saving under the name of another operation says that it replaces that one', async () => {
      const { page } = await explorer.open()
      const name = page.getByRole('textbox', { name: 'Name' })
      const ends = (word: string) => page.getByRole('dialog').getByRole('button', { name: word, exact: true })
      await page.keyboard.press('Control+s')
      await name.fill('Mine')
      await ends('Save').click()
      await said(page, 'Saved as Mine.')
      await writeEditor(page, 'operation', operation('Other'))
      await page.keyboard.press('Control+s')
      await eventually(() => name.inputValue()).toBe('Other')
      await ends('Save').waitFor()
      await name.fill(' Mine')
      await page.getByText('It replaces the saved operation of this name.').waitFor()
      await ends('Replace').click()
      await said(page, 'Saved as Mine.')
      await shelf(page, 'Saved')
      await eventually(() => page.locator('.entries .entry-line').allInnerTexts()).toEqual([
        operation('Other'),
      ])
    })

    test('operations that were closed leave the room of the browser to those that are open', async () => {
      const { page } = await explorer.open(undefined, {
        prepare: async (page) =>
          void (await page.addInitScript(`const { setItem } = Storage.prototype
            Storage.prototype.setItem = function (key, text) {
              if (text.length > 2000) throw new DOMException('full')
              setItem.call(this, key, text)
            }`)),
      })
      await begin(page, 'Large')
      await writeEditor(page, 'variables', ' '.repeat(1200))
      await begin(page, 'Open')
      await button(page, 'Close Large').click()
      await writeEditor(page, 'variables', ' '.repeat(1100))
      await page.reload()
      await editorReady(page)
      await eventually(() => editorText(page, 'operation')).toBe(operation('Open'))
      expect(await editorText(page, 'variables')).toHaveLength(1100)
    })

    test('what cannot be saved for want of room is said to be so', async () => {
      const { page } = await explorer.open()
      await page.evaluate("Storage.prototype.setItem = () => { throw new DOMException('full') }")
      await page.keyboard.press('Control+s')
      await page.keyboard.press('Enter')
      await said(page, 'It was not saved: the browser stores no more.')
    })
  },
)
