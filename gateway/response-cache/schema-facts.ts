/**
 * What a supergraph says about caching: `@cacheControl` and `@cacheTag`, the keys of entities, and the fields that
 * require rights.
 *
 * Composers put unknown directives into the supergraph if subgraphs name them in `@composeDirective`; Apollo's puts
 * `@cacheTag` into `@join__directive`. Both are read.
 */

import { type ConstDirectiveNode, type DocumentNode, Kind, type TypeNode, valueFromASTUntyped } from 'graphql'
import {
  type DirectiveNames,
  directiveNames,
  type KnownDirective,
} from '../../engine/supergraph/directives.ts'
import { type JoinReader, joinReaderOf } from '../../engine/supergraph/join.ts'
import { namesIn } from '../../shared/graphql/field-set.ts'
import { argumentsOf } from '../../shared/graphql/literals.ts'
import { namedType } from '../../shared/graphql/named-type.ts'
import { isObject } from '../../shared/json/is-object.ts'

export interface Hint {
  /** In seconds. */
  readonly maxAge: number | undefined
  readonly isPrivate: boolean
  readonly inheritMaxAge: boolean
}

/** The requirements of a field or a type. */
export interface Guard {
  readonly scopes: readonly string[]
  /** Whether more than scopes decides: then each caller has entries of its own. */
  readonly perCaller: boolean
}

/** A tag as written, with `{$key.…}` and `{$args.…}`; `graphs` are its subgraphs, and empty means all. */
export interface TagFormat {
  readonly format: string
  readonly graphs: readonly string[]
}

interface Rules {
  readonly hint: Hint | undefined
  readonly tags: readonly TagFormat[]
  readonly guard: Guard | undefined
}

export interface FieldFacts extends Rules {
  /** The named type of its values. */
  readonly type: string
  readonly isList: boolean
  /** Names and defaults of its arguments. */
  readonly defaults: Readonly<Record<string, unknown>>
}

export interface TypeFacts extends Rules {
  readonly fields: ReadonlyMap<string, FieldFacts>
  /** Sets of names of key fields: nested ones by their first field. */
  readonly keys: readonly (readonly string[])[]
  readonly interfaces: readonly string[]
}

export type SchemaFacts = ReturnType<typeof readSchemaFacts>

export function readSchemaFacts(document: DocumentNode, possible: ReadonlyMap<string, ReadonlySet<string>>) {
  const names = directiveNames(document)
  const join = joinReaderOf(document)
  const types = new Map<string, TypeFacts>()
  let query = 'Query'
  let mutation: string | undefined
  for (const definition of document.definitions) {
    if (definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION) {
      for (const { operation, type } of definition.operationTypes ?? []) {
        if (operation === 'query') query = type.name.value
        if (operation === 'mutation') mutation = type.name.value
      }
    }
    if (
      definition.kind !== Kind.OBJECT_TYPE_DEFINITION &&
      definition.kind !== Kind.INTERFACE_TYPE_DEFINITION &&
      definition.kind !== Kind.UNION_TYPE_DEFINITION
    )
      continue
    const { fields = [], interfaces = [] } =
      definition.kind === Kind.UNION_TYPE_DEFINITION ? { fields: [], interfaces: [] } : definition
    types.set(definition.name.value, {
      ...rulesOf(definition, names),
      fields: new Map(
        fields.map((field) => [
          field.name.value,
          {
            type: namedType(field.type),
            isList: isList(field.type),
            ...rulesOf(field, names),
            defaults: Object.fromEntries(
              (field.arguments ?? []).flatMap(({ name, defaultValue }) =>
                defaultValue === undefined ? [] : [[name.value, valueFromASTUntyped(defaultValue)]],
              ),
            ),
          },
        ]),
      ),
      keys: keysOf(join.typesOf(definition)),
      interfaces: interfaces.map(({ name }) => name.value),
    })
  }
  return {
    type: (name: string): TypeFacts | undefined => types.get(name),
    possibleTypes: (name: string): readonly string[] => [...(possible.get(name) ?? [name])],
    root: { query, mutation },
  }
}

const isList = (type: TypeNode): boolean =>
  type.kind === Kind.LIST_TYPE || (type.kind === Kind.NON_NULL_TYPE && isList(type.type))

const rulesOf = (
  { directives = [] }: { readonly directives?: readonly ConstDirectiveNode[] | undefined },
  names: DirectiveNames,
): Rules => ({ hint: hintOf(directives), tags: tagsOf(directives), guard: guardOf(directives, names) })

/** One use of a directive. `graphs` are its subgraphs, and empty means all. */
interface Use {
  readonly args: Readonly<Record<string, unknown>>
  readonly graphs: readonly string[]
}

/**
 * Each use of a directive, also if an import renamed it as `subgraph__name`, and if it stands in
 * `@join__directive(graphs:, name:, args:)`.
 */
function usesOf(directives: readonly ConstDirectiveNode[], name: string): Use[] {
  const isCalled = (given: unknown): boolean =>
    typeof given === 'string' && (given === name || given.endsWith(`__${name}`))
  return directives.flatMap((each) => {
    if (isCalled(each.name.value)) return [{ args: argumentsOf(each), graphs: [] }]
    if (each.name.value !== 'join__directive') return []
    const args = argumentsOf(each)
    if (!isCalled(args.name)) return []
    return [
      {
        args: isObject(args.args) ? args.args : {},
        graphs: Array.isArray(args.graphs) ? args.graphs.map(String) : [],
      },
    ]
  })
}

function hintOf(directives: readonly ConstDirectiveNode[]): Hint | undefined {
  const all = usesOf(directives, 'cacheControl').map(({ args }) => args)
  if (all.length === 0) return undefined
  const ages = all.flatMap(({ maxAge }) => (typeof maxAge === 'number' && maxAge >= 0 ? [maxAge] : []))
  return {
    // Several subgraphs may have hints for a shared field: the lowest holds.
    maxAge: ages.length === 0 ? undefined : Math.min(...ages),
    isPrivate: all.some(({ scope }) => scope === 'PRIVATE'),
    inheritMaxAge: all.some(({ inheritMaxAge }) => inheritMaxAge === true),
  }
}

function tagsOf(directives: readonly ConstDirectiveNode[]): TagFormat[] {
  return usesOf(directives, 'cacheTag').flatMap(({ args, graphs }) =>
    typeof args.format === 'string' && args.format !== '' ? [{ format: args.format, graphs }] : [],
  )
}

function guardOf(directives: readonly ConstDirectiveNode[], names: DirectiveNames): Guard | undefined {
  const usesOfKnown = (name: KnownDirective): Use[] =>
    [...names[name]].flatMap((each) => usesOf(directives, each))
  const scopes = usesOfKnown('requiresScopes').flatMap(({ args }) =>
    Array.isArray(args.scopes) ? args.scopes.flat().map(String) : [],
  )
  const perCaller = usesOfKnown('policy').length > 0 || usesOfKnown('stepUp').length > 0
  const authenticated = usesOfKnown('authenticated').length > 0
  return scopes.length === 0 && !perCaller && !authenticated ? undefined : { scopes, perCaller }
}

/** The sorted names before any selection: `id`, or `sku brand { id }` as `brand` and `sku`. */
export function keysOf(types: ReturnType<JoinReader['typesOf']>): string[][] {
  const found = new Map<string, string[]>()
  for (const { key } of types) {
    if (key === undefined) continue
    const names = namesIn(key.selectionSet).sort()
    found.set(names.join(' '), names)
  }
  return [...found.values()]
}
