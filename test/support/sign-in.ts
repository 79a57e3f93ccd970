/** A person at a browser, scripted: follows redirects with cookies, and signs in on the sandbox's page. */
export interface Browser {
  /** Opens the address of an authorization request; answers with the address to which the application is sent back. */
  signIn(address: string, person: string): Promise<URL>
}

export function createBrowser(): Browser {
  const cookies = new Map<string, string>()
  async function open(address: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(address, { ...init, headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      if (/expires=Thu, 01 Jan 1970/i.test(cookie)) cookies.delete(pair.slice(0, at))
      else cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }
  return {
    async signIn(address, person) {
      const { origin } = new URL(address)
      let response = await open(address)
      for (let step = 0; step < 10; step++) {
        const location = response.headers.get('location')
        if (location !== null) {
          const next = new URL(location, origin)
          if (next.origin !== origin) return next
          response = await open(next.href)
          continue
        }
        const page = await response.text()
        const [, action] = /action="([^"]+)"/.exec(page) ?? []
        if (action === undefined) throw new Error(`no form to sign in with: ${response.status} ${page}`)
        response = await open(`${origin}${action}`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: `person=${person}`,
        })
      }
      throw new Error('the sign-in goes round in circles')
    },
  }
}
