/**
 * The plans of one operation. It has one, unless conditions hang on its variables: then one for each set of their
 * values that is met. Where there could be too many, conditions stay in a plan that serves them all.
 */
import type { DocumentNode, OperationDefinitionNode } from 'graphql'
import type { PossibleTypes } from '../execute/rewrite.ts'
import type { Step } from '../execute.ts'
import { conditionVariables, withConditions } from '../plan/conditions.ts'
import { plannable } from '../plan/plannable.ts'
import type { Plan, Planner } from '../plan.ts'
import type { Variables } from './variables.ts'

export interface Prepared {
  readonly plan: Plan
  /** Runs the plan; undefined where nothing is fetched. */
  readonly step: Step | undefined
  /** Response keys at the root whose objects may turn out not to exist. */
  readonly unsure: ReadonlySet<string>
}

export interface VariantsOptions {
  /** What may be fetched; null is nothing. */
  readonly document: DocumentNode | null
  readonly operation: OperationDefinitionNode
  readonly planner: Planner
  readonly possibleTypes: PossibleTypes
  prepare(plan: Plan): Prepared
}

export interface Variants {
  for(variables: Variables): Prepared | Promise<Prepared>
}

/** With more variables than this in conditions, one plan is made for all of their values. */
const mostConditions = 5

export function createVariants(options: VariantsOptions): Variants {
  const { document, operation, planner, possibleTypes, prepare } = options
  if (document === null) {
    const nothing = prepare(undefined)
    return { for: () => nothing }
  }
  const names = conditionVariables(document)

  const plan = async (decided: DocumentNode): Promise<Prepared> => {
    const fetched = plannable(decided, operationIn(decided, operation), possibleTypes)
    return prepare(fetched === undefined ? undefined : await planner.plan(fetched, operation.name?.value))
  }
  /** Plans once; what is planned is there at once from then on. */
  const once = (decided: DocumentNode): (() => Prepared | Promise<Prepared>) => {
    let ready: Prepared | undefined
    const planning = plan(decided).then((prepared) => {
      ready = prepared
      return prepared
    })
    // Told to whoever executes; nobody else is there to hear it.
    planning.catch(() => {})
    return () => ready ?? planning
  }

  if (names.length === 0 || names.length > mostConditions) {
    const only = once(names.length === 0 ? withConditions(document, {}) : document)
    return { for: only }
  }
  const variants = new Map<string, () => Prepared | Promise<Prepared>>()
  return {
    for(variables) {
      let key = ''
      for (const name of names) key += variables[name] === true ? '1' : '0'
      let variant = variants.get(key)
      if (variant === undefined) {
        variant = once(withConditions(document, variables))
        variants.set(key, variant)
      }
      return variant()
    },
  }
}

/** The same operation in a document that was made from the first. */
function operationIn(document: DocumentNode, operation: OperationDefinitionNode): OperationDefinitionNode {
  for (const definition of document.definitions) {
    if (definition.kind === 'OperationDefinition' && definition.name?.value === operation.name?.value)
      return definition
  }
  return operation
}
