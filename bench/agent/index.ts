/**
 * `npm run bench -- --agent`: forty tasks for an agent without a model, over the sandbox, with expected answers;
 * and the tokens of the same tasks with two other ways to give a graph to a model.
 */
import { isDeepStrictEqual } from 'node:util'
import { tokensIn } from '../../gateway/mcp/tools/tool.ts'
import { allScopes, type Graph } from '../../test/support/graph.ts'
import { median } from '../median.ts'
import { table } from '../report.ts'
import { ScriptedAgent } from './client.ts'
import { byRootFields, byWholeSdl, documentsOf, type Send, type Way } from './compared.ts'
import { hardTasks } from './hard-tasks.ts'
import { readingTasks } from './reading-tasks.ts'
import type { Task } from './task.ts'
import { startWorld, strictUnits, type World } from './world.ts'

export const tasks: readonly Task[] = [...readingTasks, ...hardTasks]

/** The bound of a response, unless a task sets a smaller one. */
const usualTokens = 8_000

export interface TaskResult {
  readonly asks: string
  readonly answer: unknown
  readonly isRight: boolean
  readonly calls: number
  /** The tokens of definitions, calls and responses together. */
  readonly tokens: number
  /** The tokens of the longest response. */
  readonly longest: number
  readonly bound: number
  /** How many writes the service recorded; undefined if the task has none. */
  readonly writes: number | undefined
  /** The results of the other ways, in their order. */
  readonly others: readonly { readonly tokens: number; readonly calls: number }[]
}

export interface AgentRun {
  readonly definitionTokens: number
  readonly results: readonly TaskResult[]
  /** What the gateway with the small budget has spent in the minute of its tasks. */
  readonly strictUnits: number
}

const ways: readonly Way[] = [byWholeSdl, byRootFields]

export async function runTasks(chosen: readonly Task[]): Promise<AgentRun> {
  await using world = await startWorld()
  const lister = new ScriptedAgent(world.graph, { scope: null, subject: 'nobody' })
  const definitionTokens = tokensIn(JSON.stringify(await lister.definitions()))
  const results: TaskResult[] = []
  for (const task of chosen) results.push(await runTask(task, world, definitionTokens))
  // The units of all callers together, because each of them may spend as much.
  const { data } = await world.strict.ask('{ mediaQuota { used } }')
  return { definitionTokens, results, strictUnits: data.mediaQuota.used as number }
}

async function runTask(task: Task, world: World, definitionTokens: number): Promise<TaskResult> {
  const { scope = allScopes, asks } = task
  const graph = task.isStrict === true ? world.strict : world.graph
  const agent = new ScriptedAgent(graph, { scope, subject: `agent ${asks}` })
  const writesNow = (): number =>
    world.sandbox.writes.filter(({ operation }) => operation === task.writes).length
  const before = writesNow()
  const answer = await task.solve(agent, world)
  const writes = task.writes === undefined ? undefined : writesNow() - before
  const documents = documentsOf(agent.turns)
  const others = []
  for (const way of ways) {
    // These units do not count against the small budget.
    const { tokens, calls } = await way.tokens(documents, senderOf(world.graph, scope))
    others.push({ tokens: way.definitionTokens + tokens, calls })
  }
  return {
    asks,
    answer,
    isRight: isDeepStrictEqual(answer, task.golden),
    calls: agent.turns.length,
    tokens: definitionTokens + agent.tokens,
    longest: Math.max(...agent.turns.map(({ text }) => tokensIn(text))),
    bound: task.maxTokens ?? usualTokens,
    writes,
    others,
  }
}

const senderOf =
  (graph: Graph, scope: string | null): Send =>
  async ({ document, variables }) =>
    (await graph.ask(document, variables, { scope })).text

/** The requirements that do not hold; empty if all do. */
export function shortOf({ definitionTokens, results, strictUnits: spent }: AgentRun): readonly string[] {
  const found: string[] = []
  const say = (holds: boolean, text: string): void => void (holds || found.push(text))
  say(definitionTokens <= 3_000, `definitions take ${definitionTokens} tokens, more than 3,000`)
  for (const { asks, answer, isRight, longest, bound, writes } of results) {
    say(isRight, `"${asks}" was answered ${JSON.stringify(answer)}`)
    say(longest <= bound, `"${asks}" has an answer of ${longest} tokens, more than ${bound}`)
    say(writes === undefined || writes === 1, `"${asks}" was done ${writes} times`)
  }
  say(spent <= strictUnits, `${spent} units were spent of a budget of ${strictUnits}`)
  const of = (pick: (result: TaskResult) => number): number => median(results.map(pick))
  say(of(({ tokens }) => tokens) <= 6_000, `the median task takes ${of(({ tokens }) => tokens)} tokens`)
  say(of(({ calls }) => calls) <= 4, `the median task takes ${of(({ calls }) => calls)} calls`)
  const [ofSdl = 1, ofFields = 1] = ratiosOf(results)
  say(ofSdl <= 1 / 5, `it takes ${ofSdl.toFixed(3)} of the tokens of the whole SDL`)
  say(ofFields <= 1 / 3, `it takes ${ofFields.toFixed(3)} of the tokens of one tool a root field`)
  return found
}

/** The ratio of all our tokens to those of each other way. */
function ratiosOf(results: readonly TaskResult[]): readonly number[] {
  const sum = (pick: (result: TaskResult) => number): number =>
    results.reduce((total, result) => total + pick(result), 0)
  return ways.map((_, at) => sum(({ tokens }) => tokens) / sum(({ others }) => others[at]?.tokens ?? 0))
}

const number = (value: number): string => Math.round(value).toLocaleString('en')

export function printAgentRun(run: AgentRun, machine: string): string {
  const { definitionTokens, results } = run
  const faults = shortOf(run)
  const right = results.filter(({ isRight }) => isRight).length
  const rowOf = (
    name: string,
    definitions: number,
    pick: (result: TaskResult) => { readonly tokens: number; readonly calls: number },
    ratio: string,
  ): readonly string[] => {
    const tokens = results.map((result) => pick(result).tokens)
    return [
      name,
      number(definitions),
      number(median(tokens)),
      number(Math.max(...tokens)),
      number(median(results.map((result) => pick(result).calls))),
      ratio,
    ]
  }
  const ratios = ratiosOf(results)
  const summary = table(
    ['way', 'definitions', 'median task', 'largest task', 'calls, median', 'ours to it'],
    [
      rowOf('ours', definitionTokens, (result) => result, ''),
      ...ways.map((way, at) =>
        rowOf(
          way.name,
          way.definitionTokens,
          ({ others }) => others[at] ?? { tokens: 0, calls: 0 },
          (ratios[at] ?? 0).toFixed(3),
        ),
      ),
    ],
  )
  const each = table(
    ['task', 'right', 'calls', 'tokens', 'longest answer', ...ways.map(({ name }) => name)],
    results.map(({ asks, isRight, calls, tokens, longest, others }) => [
      asks,
      isRight ? 'yes' : 'NO',
      String(calls),
      number(tokens),
      number(longest),
      ...others.map((other) => number(other.tokens)),
    ]),
  )
  return `# What agents take

Tasks for an agent without a model at \`/mcp\`, over the sandbox on ${machine}. Four bytes are a token; a task takes the definitions of all tools once, and each of its calls and answers once. The other two ways send the same documents with the same tokens: one tool with the whole SDL, and one tool for each root field, which answers with the fields that the task wants and all others within two levels.

${right} of ${results.length} answers are right. No answer is over its bound, no unit over a budget, each change is made once${faults.length === 0 ? '.' : `, but:\n\n${faults.map((fault) => `- ${fault}`).join('\n')}`}

${summary}

${each}
`
}

/** Returns the text of the report, and whether all requirements hold. */
export async function measureAgent(
  machine: string,
): Promise<{ readonly text: string; readonly holds: boolean }> {
  const run = await runTasks(tasks)
  return { text: printAgentRun(run, machine), holds: shortOf(run).length === 0 }
}
