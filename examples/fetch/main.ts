/**
 * A small program over the graph: the chart page by page, one video with what else is known, and a change
 * whose price is asked before it is made. `--help` tells its options; Ctrl-C aborts what is under way.
 */
import { parseArgs } from 'node:util'
import { inWords } from '../words.ts'
import { type AnswerError, createClient, GraphError } from './client.ts'
import { ChartPageDocument, CommentDocument, OverviewDocument } from './operations.generated.ts'
import { itemsOf } from './pages.ts'

const usage = `npx node examples/fetch/main.ts [--count N] [--comment TEXT] [--max-units N] [--url URL] [--token TOKEN]

  --count N       how many videos of the chart; 5 unless said
  --comment TEXT  writes a comment on the first of them
  --max-units N   the most quota units that one operation may cost
  --url URL       the graph; http://127.0.0.1:4000/graphql unless said
  --token TOKEN   from \`npm run tessera -- token --scope "..."\`; without it only the public part is open
`

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '5' },
    comment: { type: 'string' },
    'max-units': { type: 'string' },
    url: { type: 'string', default: 'http://127.0.0.1:4000/graphql' },
    token: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

const stop = new AbortController()
process.once('SIGINT', () => stop.abort(new Error('stopped')))

const client = createClient({
  url: values.url,
  token: values.token,
  maxUnits: values['max-units'] === undefined ? undefined : Number(values['max-units']),
})

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const complain = (errors: readonly AnswerError[]): void => {
  for (const error of errors) say(`! ${error.path?.join('.') ?? 'operation'}: ${inWords(error)}`)
}

async function main(): Promise<void> {
  const count = Number(values.count)
  let spent = 0
  const chart = itemsOf(async (after) => {
    const answer = await client.ask(ChartPageDocument, { first: Math.min(count, 50), after }, stop.signal)
    spent += answer.quota?.spent ?? 0
    return answer.data.chartVideos
  })
  let first: string | undefined
  let rank = 0
  for await (const { videoId, snippet, statistics } of chart) {
    first ??= videoId
    rank += 1
    // Counters pass 2^53: they are decimal strings, and BigInt keeps them exact.
    const views = BigInt(statistics?.viewCount ?? 0).toLocaleString('en')
    say(`${rank}. ${snippet?.title} (${snippet?.channelTitle}, ${views} views)`)
    if (rank === count) break
  }
  say(`The chart cost ${spent} quota units.`)
  if (first === undefined) return

  const { data, errors } = await client.ask(OverviewDocument, { videoId: first }, stop.signal)
  for (const { topLevelComment } of data.video?.commentThreads?.nodes ?? [])
    say(`${topLevelComment?.authorDisplayName}: ${topLevelComment?.textOriginal}`)
  const up = data.metrics?.query?.series[0]?.sample?.value
  if (up !== undefined) say(`${up} targets are up.`)
  complain(errors)

  if (values.comment === undefined) return
  const comment = { videoId: first, text: values.comment }
  const { units, calls, scopes } = await client.explain(CommentDocument, comment, stop.signal)
  if (scopes.refused.length > 0) {
    for (const { message } of scopes.refused) say(`! ${message}`)
    process.exitCode = 1
    return
  }
  const made = Object.entries(calls).map(([service, n]) => `${n} to ${service}`)
  say(`The comment will cost ${units} quota units (calls: ${made.join(', ')}).`)
  const written = await client.ask(CommentDocument, comment, stop.signal)
  complain(written.errors)
  const said = written.data.insertCommentThread?.commentThread.topLevelComment
  if (said === undefined) process.exitCode = 1
  else say(`${said?.authorDisplayName}: ${said?.textOriginal} (${written.quota?.spent} quota units spent)`)
}

if (values.help) say(usage)
else {
  try {
    await main()
  } catch (error) {
    process.exitCode = 1
    if (stop.signal.aborted) say('Stopped.')
    else if (error instanceof GraphError && error.errors.length > 0) complain(error.errors)
    else if (error instanceof GraphError) say(`! ${error.message}`)
    else throw error
  }
}
