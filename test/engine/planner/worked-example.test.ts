/** The worked example of docs/query-planner.md: its subgraphs, its operation and its plan, as they stand there. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { printPlan } from '../../../engine/planner/index.ts'
import { readArguments } from '../../../gateway/cli/command.ts'
import { planCommand } from '../../../gateway/cli/plan.ts'
import { startFederation } from '../../support/federation.ts'
import { fetchesOf, stagesOf } from '../../support/plans.ts'
import { composeAny } from '../../support/random-federation/index.ts'
import { temporaryFiles } from '../../support/temporary.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(join(root, 'docs/query-planner.md'), 'utf8')
const example = page.split('\n## A worked example\n')[1]?.split('\n## ')[0] ?? ''

const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(example)?.[1] ?? ''
/** The subgraphs, each behind a comment with its name. */
const services = Object.fromEntries(
  [...block('graphql').matchAll(/^# (\w+)\n([^#]*)/gm)].map(([, name = '', sdl = '']) => [
    name,
    { sdl, resolvers: {} },
  ]),
)
const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@requires", "@external"])\n'
const query = /^`(\{ .* \})` has one position/m.exec(example)?.[1] ?? ''
const printed = /```\n(sequence\n[\s\S]*?)\n```/.exec(example)?.[1] ?? ''

test('tessera plan prints what the page shows', async () => {
  expect(Object.keys(services)).toEqual(['products', 'inventory', 'reviews'])
  const { file } = temporaryFiles()
  const sdls = Object.entries(services).map(([name, { sdl }]) => [name, `${link}${sdl}`])
  const supergraph = file('supergraph.graphql', composeAny(Object.fromEntries(sdls)).supergraph ?? '')
  const args = readArguments(planCommand, [file('query.graphql', query), '--supergraph', supergraph])
  const out: string[] = []
  const code = await planCommand.run(args, {
    env: {},
    out: (text) => out.push(text),
    err: (text) => out.push(text),
    terminal: false,
    colour: false,
    stopped: () => new Promise(() => {}),
    onHangUp() {},
  })
  expect([out.join(''), code]).toEqual([`${printed}\n`, 0])
})

test('draws the fetches that the plan has', () => {
  // Each box says what is fetched in words of the plan, without the fragments around the fields.
  const boxes = [...block('mermaid').matchAll(/\["(\w+)<br\/>([^"]*)"\]/g)]
  expect(boxes.map(([, name]) => name)).toEqual(['products', 'inventory', 'reviews'])
  for (const [, name = '', what = ''] of boxes) {
    const fetched = printed.split(new RegExp(`(?:fetch|entities) ${name}\n`))[1]?.split(/fetch|entities/)[0]
    expect(fetched).toContain(what.replace('_entities: ', ''))
  }
})

test('with the weight in a fourth subgraph asks inventory once, at the last stage', async () => {
  const products = { sdl: services.products?.sdl.replace(' weight: Int', '') ?? '', resolvers: {} }
  const weights = { sdl: 'type Product @key(fields: "upc") { upc: ID! weight: Int }', resolvers: {} }
  await using federation = await startFederation({ ...services, products, weights })
  const plan = await federation.plan(query)
  expect([stagesOf(plan), fetchesOf(plan)]).toEqual([3, 4])
  expect(printPlan(plan)).toMatch(/inStock[\s\S]*shippingEstimate/)
})
