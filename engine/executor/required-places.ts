/**
 * The fields that the lookups of a plan read below the objects that they look up (`@requires`, composite keys), as a
 * tree of response keys. It is made when such a field is lost.
 */
import { getOrInsert } from '../../shared/runtime/maps.ts'
import { eachFetch, type Plan, type PlanPath, type RequiredField } from '../planner/index.ts'

export interface RequiredPlace {
  readonly below: Map<string, RequiredPlace>
  /** Whether a lookup of an object further up sends this field. */
  isRequired: boolean
}

const emptyPlace = (): RequiredPlace => ({ below: new Map(), isRequired: false })

export class RequiredPlaces {
  readonly #plan: Plan
  /** With and without the fields of looked-up objects themselves. */
  readonly #roots = new Map<boolean, RequiredPlace>()

  constructor(plan: Plan) {
    this.#plan = plan
  }

  /**
   * The required fields below these paths. Undefined if there are none. With `plain` it also has the fields that
   * lookups read of the looked-up objects themselves. These are lost only with the object, unless a null remains at
   * the failed field.
   */
  at(paths: readonly PlanPath[], plain = false): RequiredPlace | undefined {
    const root = getOrInsert(this.#roots, plain, () => placesOf(this.#plan, plain))
    const places = paths.flatMap((path) => placeAt(root, keysOf(path)) ?? [])
    if (places.length < 2) return places[0]
    const merged = emptyPlace()
    for (const place of places) addPlace(merged, place)
    return merged
  }
}

interface Lookup {
  readonly keys: readonly string[]
  readonly fields: readonly RequiredField[]
}

function placesOf(plan: Plan, plain: boolean): RequiredPlace {
  const lookups: Lookup[] = []
  eachFetch(plan, (node) => {
    if (node.kind !== 'entities') return
    for (const { paths, representations } of node.groups) {
      const fields = representations.flatMap((each) => each.fields)
      for (const path of paths) lookups.push({ keys: keysOf(path), fields })
    }
  })
  const root = emptyPlace()
  // Inner lookups may fetch fields that outer ones require.
  for (const { keys, fields } of lookups.sort((a, b) => a.keys.length - b.keys.length)) {
    const isServing = placeAt(root, keys)?.isRequired === true
    if (!plain && !isServing && fields.every((field) => field.fields === undefined)) continue
    let place = root
    for (const key of keys) place = stepTo(place, key)
    addFields(place, fields)
  }
  return root
}

function keysOf(path: PlanPath): string[] {
  return path.flatMap((step) => (step.kind === 'field' ? [step.key] : []))
}

function placeAt(root: RequiredPlace | undefined, keys: readonly string[]): RequiredPlace | undefined {
  let place = root
  for (const key of keys) place = place?.below.get(key)
  return place
}

const stepTo = (place: RequiredPlace, key: string): RequiredPlace => getOrInsert(place.below, key, emptyPlace)

function addFields(place: RequiredPlace, fields: readonly RequiredField[]): void {
  for (const { key, fields: below } of fields) {
    const required = stepTo(place, key)
    required.isRequired = true
    if (below !== undefined) addFields(required, below)
  }
}

function addPlace(into: RequiredPlace, from: RequiredPlace): void {
  into.isRequired ||= from.isRequired
  for (const [key, below] of from.below) addPlace(stepTo(into, key), below)
}
