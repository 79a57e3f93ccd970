/**
 * Random supergraphs with random scopes, through the whole engine, against the oracle of the rules: interfaces, unions,
 * `@interfaceObject`, `@provides`, `@override`, contexts, shared and inaccessible fields, mutations. Conditions are left
 * out: a field that is open at one place is open at all, also if the variables exclude that place, and the oracle sees
 * only what they include.
 */
import { type DocumentNode, getNamedType, isLeafType, Kind, parse, visit } from 'graphql'
import { expect, test } from 'vitest'
import { createAuthorizer, type Grant } from '../../../../gateway/auth/authorize/index.ts'
import { campaignSize } from '../../../support/campaign-size.ts'
import { testGatewayRequest } from '../../../support/federation.ts'
import { normalisedOf } from '../../../support/normalised.ts'
import {
  drawRules,
  generateServices,
  marked,
  openGraph,
  type RandomGraph,
  randomOperationOf,
  scopesOfRules,
  startTrial,
} from '../../../support/random-federation/index.ts'
import { testSeed } from '../../../support/seed.ts'
import { answerFrom, caller } from './kit.ts'
import { judged, type PlainRules, type World } from './oracle.ts'

const perGraph = 30

/** With type names, so that no object is left empty: those are null, whatever the rules say. */
const withoutConditions = (document: DocumentNode): DocumentNode =>
  visit(document, {
    Directive: ({ name }) => (name.value === 'skip' || name.value === 'include' ? null : undefined),
    SelectionSet(node, _key, parent) {
      const isRoot = parent !== undefined && 'kind' in parent && parent.kind === Kind.OPERATION_DEFINITION
      const typename = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } } as const
      return isRoot ? undefined : { ...node, selections: [...node.selections, typename] }
    },
  })

const worldOf = ({ supergraph, world }: RandomGraph, rules: PlainRules): World => ({
  schema: supergraph.apiSchema,
  rules,
  summedUp: true,
  typeOf: (value) => (value as { type: string }).type,
  resolve(source, args, _, info) {
    const object = (source as { type: string; id: string } | undefined) ?? {
      type: info.parentType.name,
      id: '',
    }
    const value = world.resolve(object, info.fieldName, args)
    return isLeafType(getNamedType(info.returnType)) ? marked(value, info) : value
  },
})

test(`operations over random graphs answer as the rules say, seed ${testSeed}`, async () => {
  const operations = campaignSize(3_000)
  let done = 0
  let refused = 0
  for (let graphSeed = testSeed; done < operations; graphSeed++) {
    const { services, rules } = drawRules(generateServices(graphSeed), graphSeed)
    const graph = openGraph(services, graphSeed)
    if (graph === undefined) continue
    const schema = graph.supergraph.apiSchema
    const authorizer = createAuthorizer(graph.supergraph.document, schema)
    const world = worldOf(graph, rules)
    await using trial = await startTrial(graph)
    for (let turn = 0; turn < perGraph; turn++) {
      const operation = randomOperationOf(graph, graphSeed * 10_000 + turn)
      if (operation === undefined) continue
      const { query, variables } = operation
      const document = withoutConditions(parse(query))
      const scopes = scopesOfRules.filter((_, n) => ((graphSeed + turn) >> n) % 2 === 1)
      const normalised = normalisedOf(schema, document)
      const requirements = authorizer.analyze(normalised)
      const { allowed, refusals } = requirements.filter(requirements.grant(caller(...scopes)) as Grant)
      const compiled = trial.engine.compile({ document, normalised, allowed, refusals })
      const ours = answerFrom(await compiled.execute(variables, testGatewayRequest({ timeoutMs: 3_600_000 })))
      const expected = judged(world, document, scopes, true, variables)
      const what = `graph ${graphSeed}, scopes ${scopes.join()}: ${query} ${JSON.stringify(variables)}`
      expect(ours.data, what).toEqual(expected.data)
      expect(new Set(ours.errors.map(({ code }) => code)).size, what).toBeLessThanOrEqual(1)
      if (expected.errors.length > 0) expect(ours.errors[0]?.code, what).toBe('UNAUTHORIZED_FIELD_OR_TYPE')
      done += 1
      if (expected.errors.length > 0) refused += 1
    }
  }
  expect(refused).toBeGreaterThan(operations / 10)
}, 3_600_000)
