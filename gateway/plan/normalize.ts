/**
 * The native planner's tree to ours. `Flatten` and `BatchFetch` are both entity look-ups and become one kind;
 * what a gateway without subscriptions and deferred delivery cannot run is refused here.
 */
import type {
  EntityBatchAlias,
  FlattenNodePathSegment,
  FetchNode as NativeFetch,
  PlanNode as NativeNode,
  FetchRewrite as NativeRewrite,
  RequiresSelection,
} from '@graphql-hive/router-query-planner'
import type {
  EntityGroup,
  FetchOperation,
  PlanNode,
  PlanPath,
  RequiredSelection,
  Rewrite,
  RewriteStep,
} from '../plan.ts'

export function planNodeFrom(node: NativeNode): PlanNode {
  switch (node.kind) {
    case 'Sequence':
      return groupFrom('sequence', node.nodes)
    case 'Parallel':
      return groupFrom('parallel', node.nodes)
    case 'Condition':
      return {
        kind: 'condition',
        variable: node.condition,
        whenTrue: node.ifClause == null ? undefined : planNodeFrom(node.ifClause),
        whenFalse: node.elseClause == null ? undefined : planNodeFrom(node.elseClause),
      }
    case 'Fetch':
      return {
        kind: 'fetch',
        operation: operationFrom(node),
        outputRewrites: rewritesFrom(node.outputRewrites),
      }
    case 'Flatten':
      return entitiesFrom(pathFrom(node.path), node.node)
    case 'BatchFetch':
      return {
        kind: 'entities',
        operation: operationFrom(node),
        groups: node.entityBatch.aliases.map(groupFromAlias),
      }
    case 'Subscription':
    case 'Defer':
      throw new Error(`the plan holds a ${node.kind} node, which is not supported`)
  }
}

/** Groups within a group of the same kind add nothing; a group of one is its member. */
function groupFrom(kind: 'sequence' | 'parallel', nodes: readonly NativeNode[]): PlanNode {
  const members = nodes.map(planNodeFrom).flatMap((node) => (node.kind === kind ? node.nodes : [node]))
  const [only] = members
  return members.length === 1 && only !== undefined ? only : { kind, nodes: members }
}

function entitiesFrom(path: PlanPath, node: NativeNode): PlanNode {
  if (node.kind === 'Condition') {
    return {
      kind: 'condition',
      variable: node.condition,
      whenTrue: node.ifClause == null ? undefined : entitiesFrom(path, node.ifClause),
      whenFalse: node.elseClause == null ? undefined : entitiesFrom(path, node.elseClause),
    }
  }
  if (node.kind !== 'Fetch' || node.requires === undefined) {
    throw new Error(`the plan flattens a ${node.kind} node; expected a fetch with representations`)
  }
  const group: EntityGroup = {
    alias: '_entities',
    variable: 'representations',
    paths: [path],
    requires: node.requires.map(selectionFrom),
    inputRewrites: rewritesFrom(node.inputRewrites),
    outputRewrites: rewritesFrom(node.outputRewrites),
  }
  return { kind: 'entities', operation: operationFrom(node), groups: [group] }
}

function groupFromAlias(alias: EntityBatchAlias): EntityGroup {
  return {
    alias: alias.alias,
    variable: alias.representationsVariableName,
    paths: alias.paths.map(pathFrom),
    requires: alias.requires.map(selectionFrom),
    inputRewrites: rewritesFrom(alias.inputRewrites),
    outputRewrites: rewritesFrom(alias.outputRewrites),
  }
}

function operationFrom(
  node: Pick<NativeFetch, 'serviceName' | 'operation' | 'operationKind' | 'operationName' | 'variableUsages'>,
): FetchOperation {
  if (node.operationKind === 'subscription') throw new Error('the plan holds a subscription')
  return {
    service: node.serviceName,
    kind: node.operationKind ?? 'query',
    text: node.operation,
    name: node.operationName,
    variableNames: node.variableUsages ?? [],
  }
}

function pathFrom(path: readonly FlattenNodePathSegment[]): PlanPath {
  return path.map((step) => {
    if (step === '@') return { kind: 'list' }
    if ('Field' in step) return { kind: 'field', key: step.Field }
    return { kind: 'type', types: step.TypeCondition }
  })
}

function selectionFrom(selection: RequiresSelection): RequiredSelection {
  switch (selection.kind) {
    case 'Field':
      return {
        kind: 'field',
        key: selection.name,
        name: selection.alias ?? selection.name,
        selections:
          selection.selections === undefined || selection.selections.length === 0
            ? undefined
            : selection.selections.map(selectionFrom),
      }
    case 'InlineFragment':
      return {
        kind: 'fragment',
        type: selection.typeCondition,
        skipIf: selection.skipIf,
        includeIf: selection.includeIf,
        selections: selection.selections.map(selectionFrom),
      }
    case 'FragmentSpread':
      throw new Error(`the plan requires the named fragment ${selection.value}; expected inline fragments`)
  }
}

function rewritesFrom(rewrites: readonly NativeRewrite[] | undefined): Rewrite[] {
  return (rewrites ?? []).map((rewrite) => {
    if ('KeyRenamer' in rewrite) {
      return {
        kind: 'rename',
        path: rewrite.KeyRenamer.path.map(stepFrom),
        to: rewrite.KeyRenamer.renameKeyTo,
      }
    }
    const setter = 'ValueSetter' in rewrite ? rewrite.ValueSetter : rewrite
    return { kind: 'set', path: setter.path.map(stepFrom), value: setter.setValueTo }
  })
}

function stepFrom(step: { TypenameEquals: string[] } | { Key: string }): RewriteStep {
  return 'Key' in step ? { kind: 'key', key: step.Key } : { kind: 'type', types: step.TypenameEquals }
}
