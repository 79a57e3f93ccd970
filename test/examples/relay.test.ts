/** The example of Relay in a real browser, and what Relay asks of a server. */
import { spawnSync } from 'node:child_process'
import { cpSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  buildSchema,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import { useExample } from '../support/app.ts'
import { withChromium } from '../support/chromium.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe("Relay's compiler", () => {
  const validate = (cwd: string) =>
    spawnSync(process.execPath, [`${root}/node_modules/relay-compiler/cli.js`, '--validate'], {
      cwd,
      encoding: 'utf8',
    })

  test('finds every artefact up to date', () => {
    const { status, stdout, stderr } = validate(`${root}/examples/relay`)
    expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, ''])
  })

  test('would notice one that is not', () => {
    const copy = temporaryFolder()
    cpSync(`${root}/examples/relay`, join(copy, 'examples/relay'), { recursive: true })
    symlinkSync(`${root}/schema`, join(copy, 'schema'))
    expect(validate(join(copy, 'examples/relay')).status).toBe(0)
    rmSync(join(copy, 'examples/relay/src/__generated__/videoWriteMutation.graphql.ts'))
    expect(validate(join(copy, 'examples/relay')).status).not.toBe(0)
  })
})

describe('the schema is what Relay asks of a server', () => {
  const schema = buildSchema(readSchemaFile('api'))
  const objects = Object.values(schema.getTypeMap()).filter(isObjectType)
  const field = (type: GraphQLObjectType, name: string): string =>
    String(type.getFields()[name]?.type ?? `${type.name}.${name} is missing`)

  test('objects are found again by one global id', () => {
    const node = schema.getType('Node')
    expect(isInterfaceType(node) && String(node.getFields().id?.type)).toBe('ID!')
    const { node: one, nodes: many } = schema.getQueryType()?.getFields() ?? {}
    expect([String(one?.type), one?.args.map(({ name, type }) => `${name}: ${type}`)]).toEqual([
      'Node',
      ['id: ID!'],
    ])
    expect([String(many?.type), many?.args.map(({ name, type }) => `${name}: ${type}`)]).toEqual([
      '[Node]!',
      ['ids: [ID!]!'],
    ])
  })

  test('an `id` is always there, so that a store may file the object under it', () => {
    const filed = objects.filter((type) => type.getFields().id)
    expect(filed.length).toBeGreaterThanOrEqual(7)
    expect(filed.filter((type) => field(type, 'id') !== 'ID!').map(({ name }) => name)).toEqual([])
  })

  const connections = objects.filter(({ name }) => name.endsWith('Connection'))
  test('there are connections', () => expect(connections.length).toBeGreaterThanOrEqual(4))

  test.each(connections.map((type) => [type.name, type] as const))('%s is a connection', (_, type) => {
    expect(field(type, 'pageInfo')).toBe('PageInfo!')
    const edges = type.getFields().edges?.type
    expect(isListType(isNonNullType(edges) ? edges.ofType : edges)).toBe(true)
    const edge = getNamedType(edges)
    if (!isObjectType(edge)) throw new Error(`${type.name} has no edges`)
    expect(edge.name).toMatch(/Edge$/)
    expect(field(edge, 'cursor')).toMatch(/^String!?$/)
    expect(isListType(edge.getFields().node?.type)).toBe(false)
    expect(isObjectType(getNamedType(edge.getFields().node?.type))).toBe(true)
  })

  test('every field that gives a connection takes `first` and `after`, and what reads back takes both', () => {
    const wrong = objects.flatMap((type) =>
      Object.values(type.getFields()).flatMap(({ name, type: result, args }) => {
        if (!getNamedType(result).name.endsWith('Connection')) return []
        const told = Object.fromEntries(args.map((argument) => [argument.name, String(argument.type)]))
        const { first, after, last, before } = told
        const fits = first === 'Int' && after === 'String' && (last === undefined) === (before === undefined)
        return fits ? [] : [`${type.name}.${name}`]
      }),
    )
    expect(wrong).toEqual([])
  })

  test('PageInfo is as the specification has it', () => {
    const info = schema.getType('PageInfo')
    if (!isObjectType(info)) throw new Error('there is no PageInfo')
    expect(
      Object.fromEntries(Object.keys(info.getFields()).map((name) => [name, field(info, name)])),
    ).toEqual({
      hasNextPage: 'Boolean!',
      hasPreviousPage: 'Boolean!',
      startCursor: 'String',
      endCursor: 'String',
    })
  })
})

describe.skipIf(!withChromium('the example of Relay'))('Relay', () => {
  const example = useExample('examples/relay')

  test('shows the chart page by page, one call a page', async () => {
    await using open = await example.visit()
    const chart = open.page.getByRole('region', { name: 'Chart' })
    await chart.getByText('5 of about 120').waitFor()
    expect(await chart.getByRole('listitem').first().textContent()).toBe(
      'The first escapement Clockmakers, 18,446,744,073,709,551,615 views',
    )
    await chart.getByRole('button', { name: 'More videos' }).click()
    await chart.getByText('10 of about 120').waitFor()
    await open.page.getByText('2 quota units spent').waitFor()
    expect(new Set(await chart.getByRole('listitem').allTextContents()).size).toBe(10)
    expect(example.graph.sandbox.calls('videos.list').length).toBe(2)
    expect([open.outside, open.faults]).toEqual([[], []])
  })

  test('a new comment appears at the head of the list, which continues at the same place', async () => {
    await using open = await example.visit()
    const video = open.page.getByRole('region', { name: 'Video' })
    await open.page.getByLabel('Token').fill(await example.graph.token('media.write'))
    await open.page.getByRole('button', { name: 'The first soup' }).click()
    await expect.poll(() => video.getByRole('listitem').count()).toBe(5)
    await video.getByRole('button', { name: 'More comments' }).click()
    await expect.poll(() => video.getByRole('listitem').count()).toBe(10)
    await video.getByLabel('Your comment').fill('Well seen.')
    await video.getByRole('button', { name: 'Write' }).click()
    await expect.poll(() => video.getByRole('listitem').count()).toBe(11)
    expect(await video.getByRole('listitem').first().textContent()).toMatch(/ Well seen\.$/)
    await video.getByRole('button', { name: 'More comments' }).click()
    // The list goes on; the one that moved to the next page is shown once.
    await expect.poll(() => video.getByRole('listitem').count()).toBe(15)
    expect(example.graph.sandbox.calls('commentThreads.insert').length).toBe(1)
    expect(example.graph.sandbox.calls('commentThreads.list').length).toBe(3)
    expect(open.faults).toEqual([])
  })

  test('one fragment is fetched again by the global id', async () => {
    await using open = await example.visit()
    const video = open.page.getByRole('region', { name: 'Video' })
    await open.page.getByRole('button', { name: 'The first soup' }).click()
    await video.getByText(/\d+ likes, \d+ comments/).waitFor()
    example.graph.sandbox.reset()
    await video.getByRole('button', { name: 'Ask again' }).click()
    await expect.poll(() => example.graph.sandbox.calls('videos.list').length).toBe(1)
    const [call] = example.graph.sandbox.calls('videos.list')
    expect([call?.query.get('id'), call?.query.get('part')]).toEqual([sampleVideos.discussed, 'statistics'])
    expect(example.graph.sandbox.calls('commentThreads.list')).toEqual([])
  })

  test('says in words which scope is missing', async () => {
    await using open = await example.visit()
    const video = open.page.getByRole('region', { name: 'Video' })
    await open.page.getByRole('button', { name: 'The first soup' }).click()
    await video.getByLabel('Your comment').fill('Well seen.')
    await video.getByRole('button', { name: 'Write' }).click()
    await video.getByRole('alert').waitFor()
    expect(await video.getByRole('alert').textContent()).toBe('This needs a token with media.write.')
    expect(await video.getByRole('listitem').count()).toBe(5)
    expect(example.graph.sandbox.calls('commentThreads.insert')).toEqual([])
  })

  test('a list that its service would not give leaves the rest standing, and says why', async () => {
    example.graph.sandbox.fail({ kind: 'status', operation: 'commentThreads.list', status: 503, times: 10 })
    await using open = await example.visit()
    await open.page.getByRole('button', { name: 'The first soup' }).click()
    await open.page.getByRole('alert').waitFor()
    expect(await open.page.getByRole('alert').textContent()).toBe(
      'The videos service has trouble; try again later.',
    )
    await open.page.getByText(/\d+ likes, \d+ comments/).waitFor()
    expect(open.faults).toEqual([])
  })

  test.each([
    ['comments', 'Video', 'commentThreads.list'],
    ['videos', 'Chart', 'videos.list'],
  ])(
    'a further page of %s that fails is reported, and the first one stays',
    async (what, region, operation) => {
      await using open = await example.visit()
      const list = open.page.getByRole('region', { name: region })
      if (region === 'Video') await open.page.getByRole('button', { name: 'The first soup' }).click()
      await expect.poll(() => list.getByRole('listitem').count()).toBe(5)
      example.graph.sandbox.fail({ kind: 'status', operation, status: 503, times: 10 })
      await list.getByRole('button', { name: `More ${what}` }).click()
      const alert = open.page.getByRole('alert')
      await alert.waitFor({ timeout: 20_000 })
      expect(await alert.allTextContents()).toEqual(['The videos service has trouble; try again later.'])
      expect(await list.getByRole('listitem').count()).toBe(5)
      expect(open.faults).toEqual([])
    },
  )

  test('a chart that did not come is reported in words, and comes by another try', async () => {
    example.graph.sandbox.fail({ kind: 'status', operation: 'videos.list', status: 400 })
    await using open = await example.visit()
    await open.page.getByRole('alert').waitFor()
    await open.page.getByRole('button', { name: 'Try again' }).click()
    await open.page.getByText('5 of about 120').waitFor()
    expect(await open.page.getByRole('alert').count()).toBe(0)
  })
})
