/** Asks the stand-in of the conversational agent service over HTTP. */
import { type SandboxOptions, startSandbox } from '../../sandbox/index.ts'

export type Json = Record<string, unknown>
export const agent = '/v2beta1/projects/demo/agent'
export const sessions = `${agent}/environments/draft/users/-/sessions`

export async function startAgents(options: SandboxOptions = {}) {
  const sandbox = await startSandbox(options)
  /** A string is sent as it is, anything else as JSON. */
  const send = async (method: string, path: string, body?: unknown) => {
    const content = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(sandbox.url + path, { method, headers, ...content })
    return { status: response.status, body: (await response.json()) as Json }
  }
  const post = (path: string, body: unknown) => send('POST', path, body)
  const get = (path: string) => send('GET', path)
  return {
    sandbox,
    send,
    post,
    get,
    detect: (session: string, queryInput: unknown, more: Json = {}) =>
      post(`${sessions}/${session}:detectIntent`, { queryInput, ...more }),
    /** The intents of a page; all by default. */
    async intents(page = 'pageSize=1000', of = agent): Promise<Json[]> {
      return (await get(`${of}/intents?${page}`)).body.intents as Json[]
    },
    [Symbol.asyncDispose]: () => sandbox.close(),
  }
}
