/**
 * Whether nulls and errors are right if one subgraph does not know some entities. Its null for them is no error: what
 * only it can tell of them is null without one. A null that must not stand takes its parent along, and an error says
 * so; there is no other reason for an error. If no subgraph says the type of an object that stands for an interface, the
 * interface says what may be null.
 */
import { type DocumentNode, type GraphQLOutputType, isListType, isNonNullType, isObjectType } from 'graphql'
import type { RandomGraph } from './graph.ts'
import type { Answer, Finding, RightAnswer, TrialFaults } from './judge.ts'
import type { MetField } from './oracle.ts'
import { isAbove, keysOfRequiring, missingPlaces, type Path } from './places.ts'
import type { WorldObject } from './world.ts'

export function judgeMissing(
  { services, supergraph, world }: RandomGraph,
  document: DocumentNode,
  got: Answer,
  expected: RightAnswer,
  missing: NonNullable<TrialFaults['missing']>,
): Finding | undefined {
  const wrong = (message: string): Finding => ({ fault: 'other errors', message, got, expected })
  const requiring = keysOfRequiring(services, document)
  const isUnknown = ({ type, id }: WorldObject): boolean =>
    world.entities.has(type) && [...world.services.keys()].some((subgraph) => missing(subgraph, type, id))
  const typesOf = ({ object, name, type }: MetField): readonly GraphQLOutputType[] => {
    const own = supergraph.apiSchema.getType(object.type)
    const interfaces = isObjectType(own) && isUnknown(object) ? own.getInterfaces() : []
    return [type, ...interfaces.flatMap((each) => each.getFields()[name]?.type ?? [])]
  }
  const said = got.errors.map(({ path = [] }) => path)
  const places = missingPlaces(got.data, expected.data, [])
  for (const place of places) {
    const field = expected.met.get(fieldOf(place).join('.'))
    // The whole of the data.
    if (field !== undefined && typesOf(field).every((type) => mustNotBeNull(type, place)))
      return wrong(`${place.join('.')} is null, where it must not be`)
    if (said.some((path) => isAbove(place, path))) continue
    // An object of which nothing can be had is there; a list's item goes only with its parent.
    const isField = field !== undefined && typeof place.at(-1) === 'string'
    const isSilent =
      isField && (requiring.has(String(place.at(-1))) || withThoseAbove(field.object).some(isUnknown))
    if (!isSilent) return wrong(`no error says why ${place.join('.')} is null`)
  }
  for (const { path = [] } of got.errors)
    if (!places.some((place) => isAbove(place, path)))
      return wrong(`an error at ${path.join('.')}, where nothing is missing`)
  const texts = got.errors.map(({ message, path = [] }) => `${path.join('.')}: ${message}`)
  if (new Set(texts).size < texts.length) return wrong('an error twice')
  return undefined
}

/** The place of the field whose value, or part of it, stands here. */
function fieldOf(place: Path): Path {
  const end = place.findLastIndex((step) => typeof step === 'string')
  return place.slice(0, end + 1)
}

function mustNotBeNull(type: GraphQLOutputType, place: Path): boolean {
  let at = type
  for (let depth = place.length - fieldOf(place).length; depth > 0; depth--) {
    const list = isNonNullType(at) ? at.ofType : at
    if (!isListType(list)) return false
    at = list.ofType
  }
  return isNonNullType(at)
}

/** What comes with an object of another subgraph is missing with that. */
function withThoseAbove(object: WorldObject): readonly WorldObject[] {
  return object.up === undefined ? [object] : [object, ...withThoseAbove(object.up)]
}
