/** The explorer page signs in at the sandbox's authorization server: code flow with PKCE, further scopes, step-up, out again. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applicationId, type OauthServer, startOauthServer } from '../../../sandbox/oauth/index.ts'
import { withChromium } from '../../support/chromium.ts'
import { answer, eventually, example, picker, run } from '../../support/explorer-actions.ts'
import { editorReady, useExplorer, writeEditor } from '../../support/explorer-page.ts'
import { allScopes, type Graph, startGraph } from '../../support/graph.ts'

const resource = 'https://graph.example.com/graphql'
const twoFactors = 'urn:tessera:sandbox:two-factors'

describe.skipIf(!withChromium('signing in from the explorer page'))(
  'signing in from the explorer page',
  () => {
    const explorer = useExplorer()
    let server: OauthServer
    let graph: Graph
    beforeAll(async () => {
      server = await startOauthServer({ resource, scopes: allScopes.split(' ') })
      graph = await startGraph({
        env: {
          TESSERA_JWT_JWKS_URL: `${server.url}/jwks`,
          TESSERA_JWT_ISSUER: server.url,
          TESSERA_JWT_AUDIENCE: resource,
          TESSERA_JWT_TYPE: 'at+jwt',
          TESSERA_EXPLORER_CLIENT_ID: applicationId,
          TESSERA_STEP_UP: JSON.stringify({ 'Metrics.buildInfo': { acrValues: [twoFactors] } }),
        },
      })
    })
    afterAll(async () => {
      await graph?.[Symbol.asyncDispose]()
      await server?.close()
    })

    /** Opens the page; its requests to the authorization server pass, nobody else can be reached. */
    const open = (path = '/?editor=built-in') =>
      explorer.visit(new URL(path, graph.url).href, {
        elsewhere: { [server.url]: (route) => route.continue() },
      })

    /** On the server's page; afterwards in the explorer again. */
    async function signInAs(page: Page, person: string): Promise<void> {
      await page.getByRole('button', { name: `Sign in as ${person}` }).click()
      await editorReady(page)
      await page.getByRole('button', { name: person, exact: true }).waitFor()
    }

    const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click()

    test('a refused field opens by signing in for its scope, and further ones by asking for theirs', async () => {
      await using there = await open()
      const { page } = there
      await editorReady(page)
      await example(page, 'A refused field')
      await run(page)
      await page.getByText('Missing scope: media.owner').waitFor()
      await there.screenshot('explorer/sign-in-offer')
      await click(page, 'Sign in')
      await page.getByText('asks who you are').waitFor()
      expect(new URL(page.url()).origin).toBe(server.url)
      await there.screenshot('explorer/sign-in-page')
      await signInAs(page, 'ada')
      // As it was before, without the code.
      expect(page.url()).toBe(new URL('/?editor=built-in', graph.url).href)
      // The refused operation runs by itself.
      await eventually(async () => (await answer(page))?.data?.video?.fileDetails?.fileName).toEqual(
        expect.any(String),
      )
      expect((await answer(page)).errors).toBeUndefined()

      await example(page, 'Messages')
      await run(page)
      await page.getByText(/^Missing scopes: /).waitFor()
      await click(page, 'Sign in with those scopes')
      // The server knows who it is, and sends the browser straight back.
      await eventually(() => page.evaluate<string>('sessionStorage.getItem("tessera:session")')).toContain(
        'users.read',
      )
      await editorReady(page)
      await eventually(async () => (await answer(page))?.data?.messages?.[0]?.author?.username).toEqual(
        expect.any(String),
      )
      await picker(page).click()
      await page.getByRole('dialog', { name: 'Sign in' }).getByText('Signed in as ada').waitFor()
      expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(3)
      await there.screenshot('explorer/signed-in')
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate<{ violations: readonly { id: string }[] }>(
        'axe.run(document)',
      )
      expect(violations.map(({ id }) => id)).toEqual([])

      const stored = await page.evaluate<string>('JSON.stringify(localStorage) + document.cookie')
      expect(stored).not.toContain('eyJ')
      expect(await page.evaluate<string | null>('sessionStorage.getItem("tessera:sign-in")')).toBeNull()
      expect(there.faults).toEqual([])
      expect([...new Set(there.outside.map((url) => new URL(url).origin))]).toEqual([server.url])
    })

    test('a field that wants a stronger sign-in gets one', async () => {
      await using there = await open()
      const { page } = there
      await editorReady(page)
      await writeEditor(page, 'operation', '{ metrics { buildInfo { version } } }')
      await picker(page).click()
      await page.getByRole('dialog', { name: 'Sign in' }).getByText('metrics.read', { exact: true }).click()
      await click(page, 'Sign in')
      await page.getByText('urn:tessera:sandbox:password').waitFor()
      await signInAs(page, 'grace')
      await run(page)
      await page.getByText(twoFactors).first().waitFor()
      await there.screenshot('explorer/step-up-offer')
      await click(page, 'Sign in again')
      await page.getByText(`asks who you are (${twoFactors})`).waitFor()
      await signInAs(page, 'grace')
      await eventually(async () => (await answer(page))?.data?.metrics?.buildInfo?.version).toEqual(
        expect.any(String),
      )
      expect(there.faults).toEqual([])
    })

    test('after signing out the page has no token, and the issuer asks for the account the next time', async () => {
      await using there = await open()
      const { page } = there
      await editorReady(page)
      await picker(page).click()
      await click(page, 'Sign in')
      await signInAs(page, 'ada')
      const token = await page.evaluate<string>('JSON.parse(sessionStorage.getItem("tessera:session")).token')
      const revoked = page.waitForRequest((request) => request.url() === `${server.url}/token/revocation`)
      await picker(page).click()
      await click(page, 'Sign out')
      expect((await revoked).postData()).toContain(token)
      await page.getByRole('button', { name: 'Sign in' }).first().waitFor()
      expect(await page.evaluate<string>('JSON.stringify(sessionStorage)')).not.toContain('eyJ')
      await click(page, 'Sign in')
      await signInAs(page, 'alan')
      expect(there.faults).toEqual([])
    })

    test('a code that was not asked for is not exchanged, and leaves the address', async () => {
      await using there = await open('/?editor=built-in&code=stolen&state=made-up')
      const { page } = there
      await editorReady(page)
      expect(page.url()).not.toContain('stolen')
      expect(there.outside).toEqual([])
      await page.getByRole('button', { name: 'Sign in', exact: true }).first().waitFor()
    })

    test('a browser that stores nothing opens the page with a code in its address, and says why it cannot sign in', async () => {
      await using there = await explorer.visit(
        new URL('/?editor=built-in&code=late&state=made-up', graph.url).href,
        {
          elsewhere: { [server.url]: (route) => route.continue() },
          prepare: async (page) =>
            void (await page.addInitScript(`Object.defineProperty(window, 'sessionStorage', {
              get() { throw new DOMException('denied', 'SecurityError') } })`)),
        },
      )
      const { page } = there
      await editorReady(page)
      expect(page.url()).not.toContain('late')
      await picker(page).click()
      await click(page, 'Sign in')
      await page.getByRole('alert').getByText('this browser stores nothing for the page').waitFor()
      expect(there.faults).toEqual([])
    })

    test('an authorization server that cannot be reached is reported, and the page continues', async () => {
      await using there = await explorer.visit(new URL('/?editor=built-in', graph.url).href)
      const { page } = there
      await editorReady(page)
      await picker(page).click()
      await click(page, 'Sign in')
      await page.getByRole('alert').getByText('The authorization server cannot be reached.').waitFor()
      await page.keyboard.press('Escape')
      await example(page, 'A refused field')
      await run(page)
      await page.getByText('Missing scope: media.owner').waitFor()
      // Beside signing in, a token from elsewhere is taken, and the refused operation runs with it.
      await click(page, 'Paste a token')
      await page.getByLabel('Bearer token').fill('not.a.token')
      await click(page, 'Use it')
      await eventually(async () => (await answer(page))?.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
    })
  },
)
