/**
 * Prepares and executes operations that weigh as much as the limits allow, each of another text, and reports what the
 * heap grew by. It runs in a process of its own: `kept-memory.test.ts` starts it.
 */
import { getHeapStatistics } from 'node:v8'
import { isRefused } from '../../gateway/access/operation.ts'
import { assemble } from '../../gateway/assembly/index.ts'
import { collectAll } from '../../gateway/cli/collector.ts'
import { readConfig } from '../../gateway/config/index.ts'
import { createGatewayRequest } from '../../gateway/engine/request.ts'
import { createLogger } from '../../gateway/observe/log.ts'
import { startSandbox } from '../../sandbox/index.ts'

const keptBytes = 10_000_000
const documents = Number(process.argv[2])

const heap = (): number => {
  collectAll()
  return getHeapStatistics().used_heap_size
}

const sandbox = await startSandbox()
const { config } = readConfig({ PORT: '0', TESSERA_KEPT_BYTES: String(keptBytes) })
if (config === undefined) throw new Error('the configuration is wrong')
const { url } = sandbox
const assembly = assemble(
  {
    config,
    serviceUrls: { videos: url, agents: url, messages: url, metrics: url },
    log: createLogger({ level: 'silent' }),
  },
  () => url,
)
const identity = await assembly.authenticator.authenticate(undefined)

const kinds: readonly ((index: number) => string)[] = [
  // Wide selections on an interface, on every type of it.
  (i) =>
    `query A${i} { nodes(ids: []) { id ... on Video { etag snippet { title description tags } statistics { viewCount } } ... on Message { text } ... on Channel { id } } }`,
  // Fragments that expand to much more than their text.
  (i) =>
    `query B${i} { ...A } fragment A on Query { ${'video(videoId: "!") { ...V } '.repeat(4)} } fragment V on Video { etag ${Array.from({ length: 12 }, (_, n) => `a${n}: snippet { title description channelTitle tags }`).join(' ')} }`,
  // Many fields that this caller may not see.
  (i) =>
    `query C${i} { nodes(ids: []) { id ... on Video { ${Array.from({ length: 40 }, (_, n) => `a${n}: fileDetails { fileName }`).join(' ')} } } }`,
  // Many operations in one text.
  (i) =>
    `${Array.from({ length: 12 }, (_, n) => `query D${n} { mediaQuota { limit used n${i}: remaining } }`).join(' ')}`,
]

async function run(index: number): Promise<void> {
  const text = (kinds[index % kinds.length] as (index: number) => string)(index)
  for (const name of text.startsWith('query D0') ? ['D0', 'D5', 'D11'] : [undefined]) {
    const operation = await assembly.operations.get(text, name)
    if (isRefused(operation)) throw operation[0]
    const granted = await operation.grantedTo(identity)
    if (isRefused(granted)) throw granted[0]
    for (let turn = 0; turn < 4; turn++) {
      const request = createGatewayRequest({
        id: 'test',
        deadline: performance.now() + 20_000,
        header: () => undefined,
        identity,
      })
      await granted.compiled.executeToJson({}, request)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

// What is made once, and code that has become hot.
for (let i = 0; i < 40; i++) await run(i)
const before = heap()
for (let i = 40; i < 40 + documents; i++) await run(i)
console.log(JSON.stringify({ grown: heap() - before, keptBytes }))
process.exit(0)
