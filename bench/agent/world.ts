/**
 * The environment of scripted agents: our graph over the sandbox, with a proxy in front of the services so that a
 * response can be lost, and a second gateway with a small budget.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import { forEachService } from '../../subgraphs/index.ts'
import { type Graph, startGraph } from '../../test/support/graph.ts'
import { startProxy, type TcpProxy } from '../../test/support/tcp-proxy.ts'

export interface World extends AsyncDisposable {
  readonly graph: Graph
  /** Allows few calls and units per minute. */
  readonly strict: Graph
  /** The services of `graph`, which calls them through `proxy`. */
  readonly sandbox: Sandbox
  readonly proxy: TcpProxy
}

/** Units per minute of the second gateway. */
export const strictUnits = 3
export const strictCalls = 4

function envOf(section: object): Readonly<Record<string, string>> {
  const file = join(mkdtempSync(join(tmpdir(), 'tessera-agent-')), 'config.json')
  writeFileSync(file, JSON.stringify({ mcp: section }))
  return { TESSERA_CONFIG: file, TESSERA_MCP: 'true', TESSERA_LOG_LEVEL: 'silent' }
}

/** Settings with large bounds, because the other ways request much. */
const roomy = {
  TESSERA_MAX_DEPTH: '30',
  TESSERA_MAX_TOKENS: '50000',
  TESSERA_IDEMPOTENCY_SETTLE_MS: '0',
  TESSERA_UPSTREAM_TIMEOUT_MS: '3000',
}

export async function startWorld(): Promise<World> {
  const stack = new AsyncDisposableStack()
  try {
    const sandbox = await startSandbox()
    stack.defer(() => sandbox.close())
    const proxy = stack.use(await startProxy(Number(new URL(sandbox.url).port)))
    const graph = stack.use(
      await startGraph({
        env: { ...envOf({ changes: 'confirm', budgets: { units: { day: 5_000 } } }), ...roomy },
        urls: forEachService(() => `http://127.0.0.1:${proxy.port}`),
      }),
    )
    const budgets = { units: { minute: strictUnits }, calls: { minute: strictCalls } }
    const strict = stack.use(await startGraph({ env: envOf({ budgets }) }))
    return {
      graph,
      strict,
      sandbox,
      proxy,
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}
