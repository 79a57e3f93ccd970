/**
 * Errors of subgraphs as the client sees them: at the paths of the client's response. An error of an entity is
 * told at every place where that entity stands; one without a path, and a subgraph that does not answer at all,
 * at everything that was asked from it.
 */
import { GraphQLError } from 'graphql'
import { tesseraError } from '../../subgraphs/lib/errors.ts'
import type { PreparedFetch, Run } from '../execute.ts'
import type { Rewrite } from '../plan.ts'
import type { GatewayRequest } from '../request.ts'
import type { SubgraphError } from '../transport.ts'
import { askedKeys } from './asked.ts'
import type { JsonObject } from './merge.ts'
import { renamedPath } from './rewrite.ts'
import type { Targets } from './targets.ts'

/** Of one failure without a path, more errors than this help nobody. */
const mostErrors = 100

/** One group of entities that a fetch asks for. */
export interface Asked {
  readonly alias: string
  readonly targets: readonly Targets[]
  readonly outputRewrites: readonly Rewrite[]
}

interface AskedObjects {
  readonly group: Asked
  readonly objects: readonly JsonObject[]
  readonly indices: readonly number[]
}

/** The error of a fetch that is not sent because nobody waits for its answer any more. */
export function givenUp(service: string, request: GatewayRequest): SubgraphError {
  const late = performance.now() >= request.deadline
  return tesseraError(
    'UPSTREAM_TIMEOUT',
    late
      ? 'The time for this request was over before the service was asked.'
      : 'The request was cancelled before the service was asked.',
    { service },
  )
}

function place(run: Run, error: SubgraphError, path: readonly (string | number)[] | undefined): void {
  const { originalError } = error
  run.errors.push(
    new GraphQLError(error.message, {
      ...(path === undefined ? {} : { path }),
      ...(error.extensions === undefined ? {} : { extensions: error.extensions }),
      ...(originalError == null ? {} : { originalError }),
    }),
  )
}

/** Tells the error at each path, as far as that helps. */
function spread(run: Run, error: SubgraphError, paths: readonly (readonly (string | number)[])[]): void {
  for (const path of paths.slice(0, mostErrors)) place(run, error, path)
  if (paths.length > mostErrors) run.moreErrors = true
}

export function failedEverywhere(run: Run, fetch: PreparedFetch): void {
  reportRootErrors(run, fetch, [givenUp(fetch.service, run.request)], true, [])
}

export function reportRootErrors(
  run: Run,
  fetch: PreparedFetch,
  errors: readonly SubgraphError[],
  failed: boolean,
  rewrites: readonly Rewrite[],
): void {
  for (const error of errors) {
    if (error.path !== undefined && error.path.length > 0)
      place(run, error, renamedPath(error.path, rewrites))
    else if (failed) {
      const keys = askedKeys(fetch.document, run.variables)
      spread(
        run,
        error,
        keys.map((key) => renamedPath([key], rewrites)),
      )
    } else place(run, error, undefined)
  }
}

export function reportEntityErrors(
  run: Run,
  fetch: PreparedFetch,
  asked: readonly AskedObjects[],
  errors: readonly SubgraphError[],
  failed: boolean,
): void {
  for (const error of errors) {
    const [alias, index, ...rest] = error.path ?? []
    const about = asked.find(({ group }) => group.alias === alias)
    if (about !== undefined && typeof index === 'number') {
      const below = renamedPath(rest, about.group.outputRewrites, about.group.alias)
      const wanted = new Set(about.objects.filter((_, i) => about.indices[i] === index))
      for (const { path } of located(run, about.group, wanted)) place(run, error, [...path, ...below])
      if (wanted.size === 0) place(run, error, undefined)
    } else if (about !== undefined || failed) {
      spread(
        run,
        error,
        (about === undefined ? asked : [about]).flatMap((each) => askedPaths(run, fetch, each)),
      )
    } else place(run, error, undefined)
  }
}

function located(
  run: Run,
  group: Asked,
  wanted: ReadonlySet<JsonObject>,
): { object: JsonObject; path: (string | number)[] }[] {
  const { data } = run
  return data === undefined ? [] : group.targets.flatMap((targets) => targets.locate(data, wanted))
}

/** Every field of every object that the fetch asks for. */
function askedPaths(
  run: Run,
  fetch: PreparedFetch,
  { group, objects, indices }: AskedObjects,
): (string | number)[][] {
  const wanted = new Set(objects.filter((_, i) => (indices[i] ?? -1) >= 0))
  const paths: (string | number)[][] = []
  for (const { object, path } of located(run, group, wanted)) {
    if (paths.length > mostErrors) break
    const type = typeof object.__typename === 'string' ? object.__typename : ''
    const entity = { alias: group.alias, type, possibleTypes: fetch.possibleTypes }
    const keys = askedKeys(fetch.document, run.variables, entity)
    for (const key of keys) paths.push([...path, ...renamedPath([key], group.outputRewrites, group.alias)])
    if (keys.length === 0) paths.push(path)
  }
  return paths
}
