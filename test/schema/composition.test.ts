/**
 * The SDL files compose, without an error and without a hint, under the three composers that other
 * people's graphs are made with, and all three give the same API schema.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { composeServices as composeWithApollo } from '@apollo/composition'
import { composeServices as composeWithHive } from '@theguild/federation-composition'
import { federateSubgraphs, ROUTER_COMPATIBILITY_VERSION_ONE } from '@wundergraph/composition'
import {
  buildASTSchema,
  buildSchema,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  type InputValueDefinitionNode,
  isSpecifiedScalarType,
  Kind,
  lexicographicSortSchema,
  type NamedTypeNode,
  parse,
  print,
  printType,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { append, getOrInsert } from '../../shared/runtime/maps.ts'

/** Cosmo's composer is CommonJS and so has another copy of graphql than this file. */
const { printSchema: printOfCosmo } = createRequire(import.meta.url)('graphql') as {
  printSchema(schema: GraphQLSchema): string
}

const folder = new URL('../../schema/', import.meta.url)
const generated = new Set(['supergraph.graphql', 'api.graphql'])

interface Service {
  readonly name: string
  readonly url: string
  readonly typeDefs: DocumentNode
}

const services: Service[] = readdirSync(folder)
  .filter((file) => file.endsWith('.graphql') && !generated.has(file))
  .sort()
  .map((file) => {
    const name = file.replace(/\.graphql$/, '')
    return {
      name,
      url: `http://${name}.invalid/graphql`,
      typeDefs: parse(readFileSync(new URL(file, folder), 'utf8')),
    }
  })

/** What clients see, whatever the composer kept of directives, order and federation's own types. */
function apiOf(schema: GraphQLSchema): string {
  const types = Object.values(lexicographicSortSchema(schema).getTypeMap())
  // Federation's own types all carry a prefix with `__`; ours never do.
  return types
    .filter((type) => !isSpecifiedScalarType(type) && !/__|^_|^openfed/.test(type.name))
    .map((type) => printType(type).replace(/ @specifiedBy\(url: "[^"]*"\)/, ''))
    .join('\n\n')
}

function composedByHive(): { supergraph: string; errors: readonly string[] } {
  const { supergraphSdl, errors } = composeWithHive(services)
  return { supergraph: supergraphSdl ?? '', errors: (errors ?? []).map((error) => error.message) }
}

function composedByApollo(): { supergraph: string; errors: readonly string[]; hints: readonly string[] } {
  const result = composeWithApollo(services)
  return {
    supergraph: result.supergraphSdl ?? '',
    errors: (result.errors ?? []).map((error) => error.message),
    hints: (result.hints ?? []).map(String),
  }
}

function composedByCosmo(): { schema: string; errors: readonly string[]; hints: readonly string[] } {
  const result = federateSubgraphs({
    subgraphs: services.map(({ name, url, typeDefs }) => ({ name, url, definitions: typeDefs })),
    version: ROUTER_COMPATIBILITY_VERSION_ONE,
  })
  return {
    schema: result.success ? printOfCosmo(result.federatedGraphClientSchema) : '',
    errors: result.success ? [] : result.errors.map((error) => error.message),
    hints: result.warnings.map((warning) => warning.message),
  }
}

describe('the subgraph schemas', () => {
  test('are there', () => {
    expect(services.map((service) => service.name)).toEqual(
      expect.arrayContaining(['agents', 'messages', 'nodes']),
    )
  })

  test('compose without an error under the composer of Hive', () => {
    expect(composedByHive().errors).toEqual([])
  })

  test('compose without an error and without a hint under the composer of Apollo', () => {
    const { errors, hints } = composedByApollo()
    expect(errors).toEqual([])
    expect(hints).toEqual([])
  })

  test('compose without an error and without a hint under the composer of Cosmo', () => {
    const { errors, hints } = composedByCosmo()
    expect(errors).toEqual([])
    expect(hints).toEqual([])
  })

  test('give the same API schema under all three', () => {
    const hive = apiOf(buildASTSchema(parse(composedByHive().supergraph), { assumeValidSDL: true }))
    const apollo = apiOf(buildSchema(composedByApollo().supergraph, { assumeValidSDL: true }))
    const cosmo = apiOf(buildSchema(composedByCosmo().schema, { assumeValidSDL: true }))
    expect(apollo).toBe(hive)
    expect(cosmo).toBe(hive)
    expect(hive).toContain('type Query {')
  })

  test('name the same scopes for a field under the composers of Hive and Apollo', () => {
    const rulesOf = (sdl: string): string[] =>
      parse(sdl).definitions.flatMap((definition) =>
        definition.kind === Kind.OBJECT_TYPE_DEFINITION
          ? (definition.fields ?? []).flatMap((field) =>
              (field.directives ?? [])
                .filter((directive) => directive.name.value === 'requiresScopes')
                .map((directive) => `${definition.name.value}.${field.name.value} ${print(directive)}`),
            )
          : [],
      )
    const hive = rulesOf(composedByHive().supergraph)
    expect(hive.length).toBeGreaterThan(50)
    expect(rulesOf(composedByApollo().supergraph).sort()).toEqual(hive.sort())
  })

  test('write every type that several of them have in the same way', () => {
    const shared = new Map<string, Map<string, string[]>>()
    for (const { name, typeDefs } of services) {
      for (const definition of typeDefs.definitions) {
        if (
          definition.kind === Kind.SCALAR_TYPE_DEFINITION ||
          definition.kind === Kind.INTERFACE_TYPE_DEFINITION ||
          (definition.kind === Kind.OBJECT_TYPE_DEFINITION && definition.name.value === 'PageInfo')
        ) {
          const texts = getOrInsert(shared, definition.name.value, () => new Map())
          append(texts, print(definition), name)
        }
      }
    }
    const differing = [...shared].filter(([, texts]) => texts.size > 1)
    expect(differing.map(([type, texts]) => [type, [...texts.values()]])).toEqual([])
  })

  test("describe every type, field, argument and value in its owner's file", () => {
    const missing: string[] = []
    const look = (
      at: string,
      node: {
        readonly description?: { readonly value: string } | undefined
        readonly name: { value: string }
      },
    ): void => {
      if ((node.description?.value.trim() ?? '') === '') missing.push(`${at}${node.name.value}`)
    }
    const lookInto = (
      at: string,
      fields: readonly (FieldDefinitionNode | InputValueDefinitionNode)[] | undefined,
    ): void => {
      for (const field of fields ?? []) {
        look(at, field)
        if (field.kind === Kind.FIELD_DEFINITION) lookInto(`${at}${field.name.value}:`, field.arguments)
      }
    }
    for (const { name, typeDefs } of services) {
      for (const definition of typeDefs.definitions) {
        if (!('name' in definition) || definition.name === undefined) continue
        const type = definition.name.value
        // A stub is described by the subgraph that owns the type; a second text could only differ.
        if (name === 'nodes' && definition.kind === Kind.OBJECT_TYPE_DEFINITION && type !== 'Query') continue
        if (!['Query', 'Mutation'].includes(type) && 'description' in definition) {
          look(`${name}: `, { description: definition.description, name: definition.name })
        }
        if ('fields' in definition) lookInto(`${name}: ${type}.`, definition.fields)
        if ('values' in definition)
          for (const value of definition.values ?? []) look(`${name}: ${type}.`, value)
      }
    }
    expect(missing).toEqual([])
  })

  test('have a global id on everything that implements Node, and no rule on a type', () => {
    const isNode = (names: readonly NamedTypeNode[] | undefined): boolean =>
      (names ?? []).some((name) => name.name.value === 'Node')
    for (const { typeDefs } of services) {
      for (const definition of typeDefs.definitions) {
        if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION || !isNode(definition.interfaces)) continue
        const directives = (definition.directives ?? []).map((directive) => print(directive))
        expect(directives.join(' ')).toContain('@key(fields: "id"')
        expect(directives.join(' ')).not.toMatch(/requiresScopes|authenticated|policy/)
      }
    }
  })
})
