/** Runs the cases. Each graph is served once, with one gateway in front of it. */
import type { Answer } from './delivery.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { type Finding, judgeAnswers, judgeCalls } from './judge.ts'
import { type Served, serve } from './subgraphs.ts'
import { type Case, type Graph, type Outcome, type Road, type Step, type Verdict, verdicts } from './types.ts'

export interface AuditOptions {
  readonly command: string
  readonly path: string
  readonly startMs: number
  readonly graphs: readonly Graph[]
  readonly cases: readonly Case[]
  readonly onOutcome?: (outcome: Outcome) => void
}

const worst = (findings: readonly Finding[]): Finding =>
  findings.reduce(
    (one, other) => (verdicts.indexOf(other.verdict) < verdicts.indexOf(one.verdict) ? other : one),
    {
      verdict: 'pass',
      why: '',
    },
  )

/** After these verdicts the gateway is restarted. */
const hurts: ReadonlySet<Verdict> = new Set(['shut', 'broken'])

async function runCase(one: Case, gateway: Gateway, served: Served): Promise<Outcome> {
  served.take()
  const calls: { [subgraph: string]: number } = {}
  const findings: Finding[] = []
  const send = (step: Step): Promise<readonly Answer[]> =>
    gateway.ask(step.by, step.operation ?? one.operation, step.variables ?? one.variables, one.road)
  const judge = (steps: readonly Step[], answers: readonly (readonly Answer[])[]): void => {
    const record = served.take()
    for (const [name, count] of Object.entries(record.calls)) calls[name] = (calls[name] ?? 0) + count
    findings.push(judgeCalls(one, steps, record))
    for (const [at, step] of steps.entries()) {
      const { verdict, why } = worst(judgeAnswers(one, step, answers[at] ?? []))
      findings.push({
        verdict,
        why: why === '' ? '' : `${step.by === 'anonymous' ? 'anonymous' : `[${step.by.join(' ')}]`}: ${why}`,
      })
    }
  }
  try {
    if (one.together === true) judge(one.steps, await Promise.all(one.steps.map(send)))
    else for (const step of one.steps) judge([step], [await send(step)])
  } catch (error) {
    findings.push({ verdict: 'broken', why: error instanceof Error ? error.message : String(error) })
  }
  return { id: one.id, hole: one.hole, road: one.road, calls, ...worst(findings) }
}

/**
 * What the gateway returns for an open operation on this road, if that is not right. It then does not support the
 * road.
 */
async function lackOf(road: Road, graph: Graph, gateway: Gateway): Promise<string | undefined> {
  const probe = graph.probes?.[road]
  if (probe === undefined) return undefined
  const [answer] = await gateway.ask([], probe, undefined, road)
  const isRight = answer?.json?.errors === undefined && (answer?.json?.data ?? null) !== null
  return isRight ? undefined : `to ${probe} it answers ${answer?.status}: ${answer?.text.slice(0, 200)}`
}

export async function audit(options: AuditOptions): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const graph of options.graphs) {
    const own = options.cases.filter((one) => one.graph === graph.name)
    if (own.length === 0) continue
    const served = await serve(graph)
    const tell = (outcome: Outcome): void => {
      outcomes.push(outcome)
      options.onOutcome?.(outcome)
    }
    try {
      const start = (): Promise<Gateway> => startGateway({ ...options, ...served })
      let gateway = await start()
      try {
        const lacks = new Map<Road, string>()
        for (const road of new Set(own.map((one) => one.road))) {
          const lack = await lackOf(road, graph, gateway).catch(String)
          if (lack !== undefined) lacks.set(road, lack)
        }
        for (const one of own) {
          const why = lacks.get(one.road)
          const { id, hole, road } = one
          const outcome: Outcome =
            why === undefined
              ? await runCase(one, gateway, served)
              : { id, hole, road, verdict: 'absent', why, calls: {} }
          tell(outcome)
          if (!hurts.has(outcome.verdict)) continue
          // A case may have damaged the process, so the next one gets a new gateway.
          await gateway.close()
          gateway = await start()
        }
      } finally {
        await gateway.close()
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      for (const { id, hole, road } of own)
        if (!outcomes.some((done) => done.id === id))
          tell({ id, hole, road, verdict: 'broken', why, calls: {} })
    } finally {
      await served.close()
    }
  }
  return outcomes
}
