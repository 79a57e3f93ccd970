/**
 * Looks entities up in one subgraph: collects the objects at the plan's paths, sends each distinct representation
 * once, and merges the results into every object. One fetch has several groups.
 */

import { isObject } from '../../shared/json/is-object.ts'
import { writeMember } from '../../shared/json/members.ts'
import { counted } from '../../shared/runtime/counted.ts'
import { append } from '../../shared/runtime/maps.ts'
import { areMet } from '../operation/conditions.ts'
import type { EntitiesNode, EntityGroup } from '../planner/index.ts'
import type { SubgraphError, SubgraphResult } from '../subgraphs/index.ts'
import { type ContextSet, compileContexts } from './contexts.ts'
import { mostErrors } from './error-list.ts'
import { answersOf, type EntitiesField, notSentError, reportEntityErrors } from './errors.ts'
import type { Execution, JsonObject, Step } from './execution.ts'
import {
  type CompileContext,
  type PlanContext,
  type PreparedFetch,
  prepareFetch,
  sendFetch,
} from './fetch.ts'
import { copy, merge } from './merge.ts'
import { compileObjectsAt } from './objects-at-path.ts'
import { compileRenames, renamedPath } from './renames.ts'
import { compileDistinct, type Distinct } from './representations.ts'
import type { RequiredPlace } from './required-places.ts'

const emptyBatch: Distinct = { representations: [], objects: [], indices: [], tooDeep: [] }

interface CompiledGroup extends EntitiesField {
  readonly variable: string
  readonly when: EntityGroup['when']
  find(data: JsonObject): readonly JsonObject[]
  collect(objects: readonly JsonObject[]): Distinct
  /** Returns the indices of answers that are neither objects nor null, if there are any. */
  merge(batch: Distinct, result: SubgraphResult): ReadonlySet<number> | undefined
  /** Records the objects that the subgraph returned as null with an error. */
  noteFailed(execution: Execution, batch: Distinct, result: SubgraphResult): void
  /** Records whether the objects exist, if they come from `node` or `nodes`. */
  readonly noteExistence:
    | ((execution: Execution, batch: Distinct, result: SubgraphResult) => void)
    | undefined
}

export function compileEntities(node: EntitiesNode, context: CompileContext): Step {
  const compiled = new EntityFetch(node, context)
  return (execution) => compiled.send(execution)
}

class EntityFetch {
  readonly #fetch: PreparedFetch
  readonly #groups
  readonly #contexts
  readonly #sameObjects

  constructor(node: EntitiesNode, context: CompileContext) {
    this.#fetch = prepareFetch(node.operation, context, {
      renames: node.groups.flatMap(({ alias, renames }) =>
        renames.map(({ path, to }) => ({ path: [alias, ...path], to })),
      ),
      required: (plain) => requiredOf(node, context, plain),
    })
    this.#groups = node.groups.map((group) => compileGroup(group, context))
    const [first] = node.groups
    this.#contexts = first === undefined ? undefined : compileContexts(first, context.possibleTypes)
    this.#sameObjects = samePaths(node.groups)
  }

  /** A group with contexts is alone in its fetch, which is sent for each set of their values. */
  #sendForEach(
    contextsIn: (data: JsonObject) => readonly ContextSet[],
    execution: Execution,
    data: JsonObject,
  ): void | Promise<void> {
    const group = this.#groups[0] as CompiledGroup
    if (!areMet(group.when, execution.variables)) return undefined
    const pending: Promise<void>[] = []
    for (const { variables, objects } of contextsIn(data)) {
      const batch = group.collect(group.find(data).filter((object) => objects.has(object)))
      this.#reportTooDeep(execution, group, batch)
      if (batch.representations.length === 0) continue
      const sent = this.#send(execution, [batch], variables)
      if (sent !== undefined) pending.push(sent)
    }
    return pending.length === 0 ? undefined : Promise.all(pending).then(() => {})
  }

  send(execution: Execution): void | Promise<void> {
    const { data, variables } = execution
    if (data === undefined) return undefined
    if (this.#contexts !== undefined) return this.#sendForEach(this.#contexts, execution, data)
    const batches: Distinct[] = []
    const found: (readonly JsonObject[] | undefined)[] = []
    let some = false
    for (let i = 0; i < this.#groups.length; i++) {
      const group = this.#groups[i] as CompiledGroup
      if (!areMet(group.when, variables)) {
        batches.push(emptyBatch)
        continue
      }
      const at = this.#sameObjects[i] as number
      const objects = found[at] ?? group.find(data)
      found[at] = objects
      const batch = group.collect(objects)
      this.#reportTooDeep(execution, group, batch)
      if (batch.representations.length > 0) some = true
      batches.push(batch)
    }
    return some ? this.#send(execution, batches, noVariables) : undefined
  }

  /** Reports an error for each object that is not looked up because a value that is required of it cannot be sent. */
  #reportTooDeep(execution: Execution, group: CompiledGroup, { tooDeep }: Distinct): void {
    if (tooDeep.length === 0) return
    const indices = [...tooDeep.keys()]
    const message = `A value that the subgraph ${this.#fetch.service} requires has too many levels.`
    const extensions = { code: 'UPSTREAM_BAD_RESPONSE' }
    const errors = indices.map((index) => ({ message, extensions, path: [group.alias, index] }))
    const about = { group, objects: tooDeep, indices, representations: [] }
    reportEntityErrors(execution, this.#fetch, [about], errors, {})
  }

  #take(execution: Execution, batches: readonly Distinct[], result: SubgraphResult): void {
    const { errors = [], data } = result
    if (errors.length > 0) this.#report(execution, batches, errors, data)
    for (const [i, group] of this.#groups.entries()) {
      const batch = batches[i] ?? emptyBatch
      if (errors.length === 0) this.#reportMissing(execution, batches, i, result)
      else group.noteFailed(execution, batch, result)
      group.noteExistence?.(execution, batch, result)
    }
  }

  /** Reports an error for each entity that is missing at the end of the list. */
  #reportMissing(
    execution: Execution,
    batches: readonly Distinct[],
    at: number,
    { data }: SubgraphResult,
  ): void {
    const { alias } = this.#groups[at] as CompiledGroup
    const { length } = (batches[at] as Distinct).representations
    const found = answersOf(data, alias).length
    if (found >= length) return
    const missing = Array.from({ length: Math.min(length - found, mostErrors) }, (_, i) => found + i)
    const what = `answered ${found} of ${counted(length, 'entity', 'entities')}.`
    this.#report(execution, batches, this.#errorsAt(alias, missing, what), data ?? {})
  }

  #errorsAt(alias: string, indices: readonly number[], what: string): readonly SubgraphError[] {
    const { service } = this.#fetch
    const message = `The subgraph ${service} ${what}`
    const extensions = { code: 'UPSTREAM_BAD_RESPONSE', service }
    return indices.map((index) => ({ message, extensions, path: [alias, index] }))
  }

  #report(
    execution: Execution,
    batches: readonly Distinct[],
    errors: readonly SubgraphError[],
    data: SubgraphResult['data'],
  ): void {
    const requested = this.#groups.map((group, index) => ({ group, ...(batches[index] as Distinct) }))
    reportEntityErrors(execution, this.#fetch, requested, errors, data)
  }

  #send(execution: Execution, batches: readonly Distinct[], more: JsonObject): void | Promise<void> {
    if (execution.request.cancelled) {
      const error = notSentError(this.#fetch.service, execution.request)
      return this.#report(execution, batches, [error], undefined)
    }
    const variables: JsonObject = { ...this.#fetch.pick(execution.variables), ...more }
    this.#groups.forEach((group, index) => {
      writeMember(variables, group.variable, batches[index]?.representations)
    })
    return sendFetch(this.#fetch, execution, variables, {
      report: (result) => this.#take(execution, batches, result),
      merge: (result) => {
        for (const [i, group] of this.#groups.entries()) {
          const invalid = group.merge(batches[i] ?? emptyBatch, result)
          if (invalid === undefined) continue
          const errors = this.#errorsAt(group.alias, [...invalid], 'answered something other than an entity.')
          this.#report(execution, batches, errors, result.data)
        }
      },
    })
  }
}

const noVariables: JsonObject = {}

/** The fields that the plan requires of the entities of a fetch, by the fetch's own response keys. */
function requiredOf(
  { groups }: EntitiesNode,
  { required }: CompileContext,
  plain: boolean | undefined,
): RequiredPlace | undefined {
  const below = new Map<string, RequiredPlace>()
  for (const { alias, paths } of groups) {
    const place = required.at(paths, plain)
    if (place !== undefined) below.set(alias, place)
  }
  return below.size === 0 ? undefined : { below, isRequired: false }
}

/** For each group the index of the first group with the same paths, and therefore the same objects. */
function samePaths(groups: readonly EntityGroup[]): readonly number[] {
  const texts = groups.map(({ paths }) => JSON.stringify(paths))
  return texts.map((text) => texts.indexOf(text))
}

function compileGroup(group: EntityGroup, { possibleTypes, nodeFieldsToVerify }: PlanContext): CompiledGroup {
  const objectsAt = group.paths.map((path) => compileObjectsAt(path, possibleTypes))
  const rename = compileRenames(group.renames, possibleTypes)
  const nodeFields = group.paths.some((path) => isNodeField(path, nodeFieldsToVerify))

  return {
    alias: group.alias,
    objectsAt,
    renames: group.renames,
    when: group.when,
    variable: group.variable,
    find(data) {
      const objects: JsonObject[] = []
      for (const each of objectsAt) each.collect(data, objects)
      return objects
    },
    collect: compileDistinct(group.representations),
    merge({ objects, indices, representations }, result) {
      const answers = answersOf(result.data, group.alias)
      if (answers.length === 0) return undefined
      let invalid: Set<number> | undefined
      const shared = objects.length > representations.length
      const used = shared ? new Set<number>() : undefined
      if (rename !== undefined) for (const answer of answers) rename(answer)
      for (let i = 0; i < objects.length; i++) {
        const index = indices[i]
        const object = objects[i]
        if (index === undefined || index < 0 || object === undefined) continue
        const answer = answers[index]
        if (!isObject(answer)) {
          if (answer != null) invalid = (invalid ?? new Set()).add(index)
          continue
        }
        // A later fetch may add different fields at different places, so objects must not be shared.
        if (used?.has(index) === true) merge(object, answer, possibleTypes, copy)
        else merge(object, answer, possibleTypes)
        used?.add(index)
      }
      return invalid
    },
    noteFailed(execution, { objects, indices }, result) {
      const answers = answersOf(result.data, group.alias)
      const failed = failedKeys(result.errors, group)
      for (const [i, object] of objects.entries()) {
        const index = indices[i] ?? -1
        if (index < 0 || answers[index] != null || !hasErrorAt(result.errors, group.alias, index)) continue
        execution.failedObjects ??= new Map()
        const before = execution.failedObjects.get(object) ?? []
        execution.failedObjects.set(object, new Set([...before, ...(failed.get(index) ?? [])]))
      }
    },
    noteExistence: nodeFields
      ? (execution, { objects, indices }, result) => {
          const answers = answersOf(result.data, group.alias)
          execution.absent ??= new Map()
          for (const [i, object] of objects.entries()) {
            const index = indices[i] ?? -1
            if (index < 0) continue
            const denied = answers[index] === null && !hasErrorAt(result.errors, group.alias, index)
            execution.absent.set(object, denied && execution.absent.get(object) !== false)
          }
        }
      : undefined,
  }
}

/** The response keys of the fields with errors, for each entity. */
function failedKeys(
  errors: readonly SubgraphError[] | undefined,
  { alias, renames }: EntityGroup,
): ReadonlyMap<number, readonly string[]> {
  const keys = new Map<number, string[]>()
  for (const { path } of errors ?? []) {
    const [at, index, ...below] = path ?? []
    const [key] = renamedPath(below, renames)
    if (at !== alias || typeof index !== 'number' || typeof key !== 'string') continue
    append(keys, index, key)
  }
  return keys
}

function hasErrorAt(errors: readonly SubgraphError[] | undefined, alias: string, index: number): boolean {
  return (
    errors?.some(
      ({ path }) => path === undefined || path[0] !== alias || path[1] === undefined || path[1] === index,
    ) === true
  )
}

/** Whether the path ends at the object of a `node` root field. */
function isNodeField(path: EntityGroup['paths'][number], nodeFieldsToVerify: ReadonlySet<string>): boolean {
  const [root, ...rest] = path
  return (
    root?.kind === 'field' && nodeFieldsToVerify.has(root.key) && rest.every((step) => step.kind !== 'field')
  )
}
