/** What a user does in the explorer page, each with what it waits for. */
import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { editorText } from './explorer-page.ts'

/** A page takes its time if a machine has much to do. */
export const eventually = <T>(look: () => T) => expect.poll(look)

export async function example(page: Page, title: string): Promise<void> {
  await page.getByRole('tab', { name: 'Examples' }).click()
  await page.locator('.examples').getByRole('button', { name: title }).click()
}

/** Whether it asks what an operation costs: the page does so by itself when the writing pauses. */
export const isPriceRequest = (request: Request): boolean =>
  request.headers()['tessera-explain'] !== undefined

/** Presses a button that runs the operation, and waits for what comes back. */
export async function press(page: Page, name: string): Promise<void> {
  const answered = page.waitForResponse(
    (response) => response.url().endsWith('/graphql') && !isPriceRequest(response.request()),
  )
  await page.getByRole('button', { name, exact: true }).click()
  await answered
  await page.locator('.result[aria-busy=false]').waitFor()
}

/** The line that says what the operation costs, and leads to its explanation. */
export const priceLine = (page: Page) => page.locator('.price')

export async function explain(page: Page): Promise<void> {
  await priceLine(page).click()
  await page.locator('.result[aria-busy=false]').waitFor()
  await page.locator('#result-panel-explain').waitFor()
}

export async function run(page: Page): Promise<void> {
  await press(page, 'Run')
  await page.getByRole('tab', { name: 'Answer' }).click()
  await eventually(() => editorText(page, 'answer')).not.toBe('')
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared, not used
export async function answer(page: Page): Promise<any> {
  const text = await editorText(page, 'answer')
  return text === '' ? undefined : JSON.parse(text)
}

export const shelf = (page: Page, name: string): Promise<void> =>
  page.getByRole('tablist', { name: 'Library' }).getByRole('tab', { name }).click()

export const picker = (page: Page) => page.locator('.bar .tool-narrow[popovertarget]')

/** Opens the picker, and closes it again after what happened in it. */
export async function pick(page: Page, ...scopes: string[]): Promise<void> {
  await picker(page).click()
  for (const scope of scopes) {
    const made = page.waitForResponse((response) => response.url().endsWith('/explorer/token'))
    await page.getByRole('dialog', { name: 'Scopes' }).getByText(scope, { exact: true }).click()
    await made
    await page.locator('.bar .tool-narrow[popovertarget][aria-busy=false]').waitFor()
  }
  await page.keyboard.press('Escape')
}
