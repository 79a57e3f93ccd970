/**
 * A real headless Chromium from the PATH, driven by playwright-core, for tests of pages that we serve. A page
 * can reach the gateway alone: every request to another host is recorded, and goes nowhere unless the test
 * says what comes back.
 *
 * Debian packages the engine twice: "chromium-headless-shell" has no windows and needs half the CPU time of
 * "chromium", which is taken if it is the only one.
 * Screenshots are taken with `CI=true` or `TESSERA_TEST_FULL=true`, and go to `test-artifacts/`, which is not checked in.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page, type Route } from 'playwright-core'
import { isFull } from './campaign-size.ts'
import { canTest } from './program-on-path.ts'
import { longestWaitMs, until } from './wait.ts'

const found = spawnSync('which', ['chromium-headless-shell', 'chromium'], { encoding: 'utf8' })
const [executable = ''] = found.stdout.split('\n')
const artefacts = fileURLToPath(new URL('../../test-artifacts/', import.meta.url))

export const withChromium = (what: string): boolean =>
  canTest(what, 'chromium', executable !== '', `Debian's package is "chromium-headless-shell"`)

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: executable, args: ['--no-sandbox'] })
}

export interface VisitOptions {
  readonly context?: BrowserContextOptions
  /** Answers for other hosts, by the beginning of the address; other hosts cannot be reached. */
  readonly elsewhere?: Readonly<Record<string, (route: Route) => Promise<void>>>
  /** How far the page has to be loaded; wholly, unless given. */
  readonly wait?: 'commit' | 'load'
  /** Before the page is opened. */
  readonly prepare?: (page: Page) => Promise<void>
}

export interface Visit extends AsyncDisposable {
  readonly page: Page
  /** Addresses on other hosts that were asked for, in order. */
  readonly outside: readonly string[]
  /** What the page's scripts failed with, and what its security policy stopped. */
  readonly faults: readonly string[]
  /** Writes `test-artifacts/<name>.png`, where screenshots are taken. */
  screenshot(name: string): Promise<void>
}

/** Opens an address in a browser that knows nothing yet. */
export async function visit(browser: Browser, address: string, options: VisitOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options.context })
  // Shorter than the timeout of a test, so that the error names what did not happen.
  context.setDefaultTimeout(longestWaitMs)
  const page = await context.newPage()
  const { host } = new URL(address)
  const outside: string[] = []
  const faults: string[] = []
  await context.route(
    (url) => url.host !== host && /^(https?|wss?):$/.test(url.protocol),
    (route) => {
      const url = route.request().url()
      outside.push(url)
      const answer = Object.entries(options.elsewhere ?? {}).find(([start]) => url.startsWith(start))?.[1]
      return answer === undefined ? route.abort('internetdisconnected') : answer(route)
    },
  )
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.exposeFunction('reportViolation', (text: string) => void faults.push(text))
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    reportViolation(event.violatedDirective + ' stopped ' + event.blockedURI))`)
  await options.prepare?.(page)
  await page.goto(address, { waitUntil: options.wait ?? 'load' })
  return {
    page,
    outside,
    faults,
    async screenshot(name) {
      if (isFull) await until(() => isCaptured(page, `${artefacts}${name}.png`), `a screenshot: ${name}`)
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}

/** False if Chromium says that it cannot take one now; it does so now and then, and can a moment later. */
async function isCaptured(page: Page, path: string): Promise<boolean> {
  try {
    await page.screenshot({ path, animations: 'disabled' })
    return true
  } catch (error) {
    if (String(error).includes('Unable to capture screenshot')) return false
    throw error
  }
}
