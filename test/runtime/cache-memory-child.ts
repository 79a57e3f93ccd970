/**
 * Prepares and executes operations that weigh as much as the limits allow, each of another text, and reports what the
 * heap grew by, and what was noted for them. It runs in a process of its own: `cache-memory.test.ts` starts it.
 *
 * `COUNT BYTES [apart]`: how many documents, and how much may be kept. All kinds of documents in turn, with one report;
 * or so many of each kind after the other, with a report each.
 */
import { getHeapStatistics } from 'node:v8'
import { createGatewayRequest } from '../../engine/request.ts'
import { assembleAlone } from '../../gateway/assemble.ts'
import { isRefused } from '../../gateway/auth/granted-operation.ts'
import { collectAll } from '../../gateway/cli/v8-flags.ts'
import { readConfig } from '../../gateway/config/index.ts'
import { createLogger } from '../../gateway/telemetry/log.ts'
import { startSandbox } from '../../sandbox/index.ts'

const [documents = 0, cacheBytes = 0] = process.argv.slice(2, 4).map(Number)
const isApart = process.argv[4] === 'apart'

const heap = (): number => {
  collectAll()
  return getHeapStatistics().used_heap_size
}

const sandbox = await startSandbox()
const { config } = readConfig({ PORT: '0', TESSERA_KEPT_BYTES: String(cacheBytes) })
if (config === undefined) throw new Error('the configuration is wrong')
const { url } = sandbox
const assembly = assembleAlone(
  {
    config,
    serviceUrls: { videos: url, agents: url, messages: url, metrics: url },
    log: createLogger({ level: 'silent' }),
  },
  { publicUrl: () => url },
)
const identity = await assembly.authenticator.authenticate(undefined)

const listOf = (count: number, field: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => field(n)).join(' ')

const kinds: Readonly<Record<string, (index: number) => string>> = {
  // As apps send them.
  usual: (i) =>
    `query U${i} { chartVideos(chart: MOST_POPULAR, first: 5) { totalCount pageInfo { hasNextPage } edges { cursor node { id etag snippet { title description tags thumbnails { key url } } statistics { viewCount } commentThreads(first: 2) { nodes { threadId topLevelComment { textDisplay likeCount } } } } } } }`,
  // Long texts in small trees.
  strings: (i) => `query L${i} { video(videoId: "${'x'.repeat(5000)}${i}") { etag } } # ${'c'.repeat(5000)}`,
  // What is refused as a whole.
  invalid: (i) => `query X${i} { ${listOf(25, (n) => `b${n}: nope${i}`)} }`,
  tooLarge: (i) => `query T${i} { ${listOf(200, (n) => `a${n}: __typename`)} }`,
  // Wide selections on an interface, on every type of it.
  wide: (i) =>
    `query A${i} { nodes(ids: []) { id ... on Video { etag snippet { title description tags } statistics { viewCount } } ... on Message { text } ... on Channel { id } } }`,
  // Fragments that expand to much more than their text.
  fragments: (i) =>
    `query B${i} { ...A } fragment A on Query { ${'video(videoId: "!") { ...V } '.repeat(4)} } fragment V on Video { etag ${Array.from({ length: 12 }, (_, n) => `a${n}: snippet { title description channelTitle tags }`).join(' ')} }`,
  // Many fields that this caller may not see.
  refusedFields: (i) =>
    `query C${i} { nodes(ids: []) { id ... on Video { ${Array.from({ length: 40 }, (_, n) => `a${n}: fileDetails { fileName }`).join(' ')} } } }`,
  // Many operations in one text.
  many: (i) =>
    `${Array.from({ length: 12 }, (_, n) => `query D${n} { mediaQuota { limit used n${i}: remaining } }`).join(' ')}`,
}
type Kind = (index: number) => string

async function run(chosen: readonly Kind[], index: number): Promise<void> {
  const text = (chosen[index % chosen.length] as Kind)(index)
  for (const name of text.startsWith('query D0') ? ['D0', 'D5', 'D11'] : [undefined]) {
    const operation = await assembly.operations.get(text, name)
    // Kept as well, and refused again by its text.
    if (isRefused(operation)) continue
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

async function report(chosen: readonly Kind[]): Promise<{ grown: number; noted: number }> {
  // What is made once, and code that has become hot.
  const first = isApart ? 20 : 40
  for (let i = 0; i < first; i++) await run(chosen, i)
  const before = heap()
  const notedBefore = assembly.operations.cacheBytes
  for (let i = first; i < first + documents; i++) await run(chosen, i)
  return { grown: heap() - before, noted: assembly.operations.cacheBytes - notedBefore }
}

const reports: Record<string, object> = {}
if (isApart) for (const [name, kind] of Object.entries(kinds)) reports[name] = await report([kind])
else reports.all = await report(Object.values(kinds))
console.log(JSON.stringify(reports))
process.exit(0)
