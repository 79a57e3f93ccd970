/**
 * The look-up of entities in one subgraph: collects the objects at the plan's paths, asks for each distinct one
 * once, and merges the answers back into every place where it stands. Several groups travel in one fetch.
 */

import type { CompileContext, PlanContext, PreparedFetch, Run, Step } from '../execute.ts'
import type { EntitiesNode, EntityGroup } from '../plan.ts'
import type { SubgraphError, SubgraphResult } from '../transport.ts'
import { askedKeys, hasConditions } from './asked.ts'
import { type Asked, givenUp, reportEntityErrors } from './failures.ts'
import { copy, isObject, type JsonObject, merge, read, write } from './merge.ts'
import { compileRepresentation, representationKey } from './represent.ts'
import { compileRewrites } from './rewrite.ts'
import { compileTargets } from './targets.ts'

/** The objects of one group in one run. */
interface Wanted {
  readonly representations: JsonObject[]
  readonly objects: JsonObject[]
  /** The representation of each object; -1 where it has none. */
  readonly indices: number[]
}

const nobody: Wanted = { representations: [], objects: [], indices: [] }

interface CompiledGroup extends Asked {
  readonly variable: string
  collect(run: Run): Wanted
  merge(run: Run, wanted: Wanted, result: SubgraphResult): void
  /** Notes whether objects exist whose existence is in question. */
  readonly settle: ((run: Run, wanted: Wanted, result: SubgraphResult) => void) | undefined
}

export function compileEntities(node: EntitiesNode, fetch: PreparedFetch, context: CompileContext): Step {
  context.hands.lay(rootsOf(node))
  const groups = node.groups.map((group) => compileGroup(group, context))
  const { possibleTypes } = context
  const conditional = hasConditions(fetch.document)
  /** Whether these variables leave anything to be asked of a group's objects. */
  const isAsked = ({ alias }: CompiledGroup, run: Run): boolean =>
    !conditional ||
    askedKeys(fetch.document, run.variables, { alias, type: undefined, possibleTypes }).length > 0

  const finish = (run: Run, wants: readonly Wanted[], result: SubgraphResult): void => {
    const { errors } = result
    if (errors !== undefined && errors.length > 0) {
      const asked = groups.map((group, index) => ({ group, ...(wants[index] as Wanted) }))
      reportEntityErrors(run, fetch, asked, errors, result.data == null)
    }
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i]
      const wanted = wants[i]
      if (group === undefined || wanted === undefined) continue
      group.settle?.(run, wanted, result)
      group.merge(run, wanted, result)
    }
  }

  return (run) => {
    if (run.data === undefined) return undefined
    const wants: Wanted[] = []
    let some = false
    for (const group of groups) {
      const wanted = isAsked(group, run) ? group.collect(run) : nobody
      if (wanted.representations.length > 0) some = true
      wants.push(wanted)
    }
    if (!some) return undefined
    if (run.request.cancelled) {
      const asked = groups.map((group, index) => ({ group, ...(wants[index] as Wanted) }))
      return reportEntityErrors(run, fetch, asked, [givenUp(fetch.service, run.request)], true)
    }
    const variables: Record<string, unknown> = { ...fetch.pick(run.variables) }
    groups.forEach((group, index) => {
      write(variables, group.variable, wants[index]?.representations)
    })
    const result = fetch.send(variables, run.request)
    if (result instanceof Promise) return result.then((late) => finish(run, wants, late))
    return finish(run, wants, result)
  }
}

/** The root keys below which the objects stand. */
function rootsOf({ groups }: EntitiesNode): ReadonlySet<string> {
  const paths = groups.flatMap((group) => group.paths)
  const keys = paths.map((path) => path.find((step) => step.kind === 'field')?.key)
  return new Set(keys.filter((key) => key !== undefined))
}

function compileGroup(group: EntityGroup, context: PlanContext): CompiledGroup {
  const { possibleTypes } = context
  const targets = group.paths.map((path) => compileTargets(path, possibleTypes))
  const represent = compileRepresentation(group.requires, possibleTypes)
  const rewriteInput = compileRewrites(group.inputRewrites, possibleTypes)
  const rewriteOutput = compileRewrites(group.outputRewrites, possibleTypes, group.alias)
  const unsure = group.paths.some((path) => isUnsure(path, context.unsureRoots))

  const collect = (run: Run): Wanted => {
    const objects: JsonObject[] = []
    if (run.data !== undefined) for (const target of targets) target.collect(run.data, objects)
    const representations: JsonObject[] = []
    const indices: number[] = []
    let known: Map<string, number> | undefined
    for (const object of objects) {
      const representation = represent(object, run.variables)
      if (representation === undefined) {
        indices.push(-1)
        continue
      }
      rewriteInput?.(representation)
      if (objects.length === 1) {
        indices.push(representations.push(representation) - 1)
        continue
      }
      known ??= new Map()
      const key = representationKey(representation)
      let index = known.get(key)
      if (index === undefined) {
        index = representations.push(representation) - 1
        known.set(key, index)
      }
      indices.push(index)
    }
    return { representations, objects, indices }
  }

  const answersOf = (result: SubgraphResult): readonly unknown[] => {
    const answers = result.data == null ? undefined : read(result.data, group.alias)
    return Array.isArray(answers) ? answers : []
  }

  return {
    alias: group.alias,
    targets,
    outputRewrites: group.outputRewrites,
    variable: group.variable,
    collect,
    merge(_run, { objects, indices, representations }, result) {
      const answers = answersOf(result)
      if (answers.length === 0) return
      const shared = objects.length > representations.length
      const used = shared ? new Set<number>() : undefined
      if (rewriteOutput !== undefined) for (const answer of answers) rewriteOutput(answer)
      for (let i = 0; i < objects.length; i++) {
        const index = indices[i]
        const object = objects[i]
        if (index === undefined || index < 0 || object === undefined) continue
        const answer = answers[index]
        if (!isObject(answer)) continue
        // A later fetch may add different things to different places: they must not share their parts.
        merge(object, used?.has(index) === true ? copy(answer) : answer, possibleTypes)
        used?.add(index)
      }
    },
    settle: unsure
      ? (run, { objects, indices }, result) => {
          const answers = answersOf(result)
          run.absent ??= new Map()
          for (let i = 0; i < objects.length; i++) {
            const index = indices[i]
            const object = objects[i]
            if (index === undefined || index < 0 || object === undefined) continue
            const denied = answers[index] === null && !hasErrorAt(result.errors, group.alias, index)
            run.absent.set(object, denied && run.absent.get(object) !== false)
          }
        }
      : undefined,
  }
}

function hasErrorAt(errors: readonly SubgraphError[] | undefined, alias: string, index: number): boolean {
  return (
    errors?.some(
      ({ path }) => path === undefined || path[0] !== alias || path[1] === undefined || path[1] === index,
    ) === true
  )
}

/** Whether the path ends at a root field's own object. */
function isUnsure(path: EntityGroup['paths'][number], unsureRoots: ReadonlySet<string>): boolean {
  const [root, ...rest] = path
  return root?.kind === 'field' && unsureRoots.has(root.key) && rest.every((step) => step.kind !== 'field')
}
