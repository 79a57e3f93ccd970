/** The schema as a whole: complete, described, and generated files as fresh as their sources. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { buildSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { referenceOf } from '../../docs/reference.ts'
import { generateSchemaFiles } from '../../gateway/cli/compose.ts'
import { readSchemaFile, schemaFileUrl } from '../../subgraphs/kit/subgraph.ts'
import { lacks } from '../peers/needs.ts'
import { contractFields } from '../support/contract.ts'

const api = buildSchema(readSchemaFile('api'))

test.each(Object.entries(contractFields))('%s has every field of its service', (typeName, fields) => {
  const type = api.getType(typeName)
  const known = isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : []
  expect(fields.filter((field) => !known.includes(field))).toEqual([])
})

test('every type, field, argument and enum value tells what it is', () => {
  const silent: string[] = []
  const look = (name: string, description: string | null | undefined): void => {
    if (!description?.trim()) silent.push(name)
  }
  for (const type of Object.values(api.getTypeMap())) {
    if (type.name.startsWith('__') || ['String', 'Int', 'Float', 'Boolean', 'ID'].includes(type.name))
      continue
    look(type.name, type.description)
    if (isEnumType(type))
      for (const value of type.getValues()) look(`${type.name}.${value.name}`, value.description)
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields()))
        look(`${type.name}.${field.name}`, field.description)
    }
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        look(`${type.name}.${field.name}`, field.description)
        for (const argument of field.args)
          look(`${type.name}.${field.name}(${argument.name})`, argument.description)
      }
    }
  }
  expect(silent).toEqual([])
})

test('no description speaks of documents that a reader of the schema does not have', () => {
  expect(readSchemaFile('api')).not.toMatch(/document [0-9]/i)
})

describe('generated files are fresh', () => {
  test.each(Object.entries(generateSchemaFiles()))('schema/%s.graphql', (name, text) => {
    expect(readFileSync(schemaFileUrl(name), 'utf8')).toBe(text)
  })

  test('docs/reference', () => {
    const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
    const pages = referenceOf(read('schema/api.graphql'))
    expect(readdirSync(new URL('../../docs/reference', import.meta.url)).sort()).toEqual(
      Object.keys(pages).sort(),
    )
    for (const [name, text] of Object.entries(pages)) {
      expect(read(`docs/reference/${name}`), name).toBe(text)
      for (const [, target = '', field] of text.matchAll(/\]\((\w+\.md)(?:#(\w+))?\)/g))
        expect(pages[target], target).toContain(field === undefined ? '# ' : `<a id="${field}"></a>`)
    }
  })

  test.skipIf(lacks('@graphql-codegen/cli'))('types of the resolvers, and operations of the examples', () => {
    const files = [
      ...['videos', 'agents', 'messages', 'metrics', 'nodes'].map(
        (name) => `subgraphs/${name}/types.generated.ts`,
      ),
      'examples/fetch/operations.generated.ts',
      'examples/fetch/persisted.json',
      'examples/apollo-client/src/operations.generated.ts',
      'examples/apollo-client/src/possible-types.generated.ts',
    ].map((path) => new URL(`../../${path}`, import.meta.url))
    const before = files.map((file) => readFileSync(file, 'utf8'))
    const cwd = new URL('../..', import.meta.url)
    for (const command of [
      ['node_modules/@graphql-codegen/cli/cjs/bin.js', '--config', 'codegen.ts'],
      ['gateway/main.ts', 'persist', 'examples/fetch/operations', '--out', 'examples/fetch/persisted.json'],
    ])
      execFileSync(process.execPath, command, { cwd, stdio: 'pipe' })
    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(before)
  })
})

test('what a field needs and costs is in its description', () => {
  const query = api.getQueryType()?.getFields()
  expect(query?.message?.description).toContain('Requires `tweet.read` and `users.read`.')
  expect(query?.video?.description).toContain('Costs 1 quota unit.')
  expect(api.getMutationType()?.getFields().insertVideo?.description).toMatch(
    /Requires `media.upload` or `media.write`.*1600/s,
  )
})
