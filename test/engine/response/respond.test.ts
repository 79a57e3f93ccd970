/** Refused fields: null with an error at their paths, and reported once if nothing stands there. */
import { type DocumentNode, type FieldNode, visit } from 'graphql'
import { describe, expect, test } from 'vitest'
import { errorLines, startFederation, ways } from '../../support/federation.ts'
import type { RefusedNode } from '../../support/normalised.ts'

const things = [
  { __typename: 'Book', id: '1', title: 'one', pages: 10, author: { name: 'A' } },
  { __typename: 'Film', id: '2', title: 'two', minutes: 20 },
  { __typename: 'Book', id: '3', title: 'three', pages: 30, author: null },
]

const services = {
  things: {
    sdl: `
      type Query { things: [Thing] none: [Book!] book: Book missing: Book must: Book! grid: [[Book]] }
      interface Thing { id: ID! title: String }
      type Book implements Thing { id: ID! title: String pages: Int! author: Author twin: Book }
      type Film implements Thing { id: ID! title: String minutes: Int twin: Book }
      type Author { name: String! books: [Book!] }
      type Mutation { change: Book keep: Book }`,
    resolvers: {
      Query: {
        things: () => things,
        none: () => [],
        book: () => things[0],
        missing: () => null,
        must: () => things[0],
        grid: () => [[things[0], null], [], [things[2]]],
      },
      Mutation: { change: () => things[0], keep: () => things[2] },
    },
  },
}

/** Takes marked fields (`_x: x` style aliases are not needed: by coordinate) out and refuses them. */
function refusing(
  ...what: { readonly name: string; readonly on?: string; readonly below?: readonly string[] }[]
): (document: DocumentNode) => { allowed: DocumentNode | null; refusedNodes: RefusedNode[] } {
  return (document) => {
    const refusedNodes: RefusedNode[] = []
    const drop = new Set<FieldNode>()
    visit(document, {
      Field(node) {
        const refused = what.find(({ name }) => name === node.name.value)
        if (refused === undefined) return
        refusedNodes.push({
          field: node,
          parentType: refused.on ?? '*',
          message: `${refused.name} is refused`,
          extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' },
          ...(refused.below === undefined ? {} : { below: refused.below }),
        })
        if (refused.on === undefined) drop.add(node)
      },
    })
    const typename = { kind: 'Field', name: { kind: 'Name', value: '__typename' } }
    const allowed = visit(document, {
      Field: { enter: (node) => (drop.has(node) ? null : undefined) },
      SelectionSet: {
        leave: (set) => (set.selections.length === 0 ? { ...set, selections: [typename] } : undefined),
      },
    })
    return { allowed, refusedNodes }
  }
}

describe.each(ways)('a refused field %s', (way) => {
  const run = async (
    query: string,
    refuse: ReturnType<typeof refusing>,
    variables: Record<string, unknown> = {},
  ) => {
    await using federation = await startFederation(services, { way })
    const { data, errors } = await federation.run(query, variables, { refuse })
    return { data, errors: errorLines(errors), fetched: federation.counts() }
  }

  test('is null with its error at the path of the response: aliases and list positions', async () => {
    expect(await run('{ all: things { id t: title } }', refusing({ name: 'title' }))).toEqual({
      data: {
        all: [
          { id: '1', t: null },
          { id: '2', t: null },
          { id: '3', t: null },
        ],
      },
      errors: ['all.0.t: title is refused', 'all.1.t: title is refused', 'all.2.t: title is refused'],
      fetched: { things: 1 },
    })
  })

  test('in lists of lists, only for objects', async () => {
    const { data, errors } = await run('{ grid { id title } }', refusing({ name: 'title' }))
    expect(data).toEqual({ grid: [[{ id: '1', title: null }, null], [], [{ id: '3', title: null }]] })
    expect(errors).toEqual(['grid.0.0.title: title is refused', 'grid.2.0.title: title is refused'])
  })

  test('is refused only on the type that is named', async () => {
    const { data, errors } = await run(
      '{ things { __typename title } }',
      refusing({ name: 'title', on: 'Film' }),
    )
    expect(data.things.map(({ title }: { title: string }) => title)).toEqual(['one', null, 'three'])
    expect(errors).toEqual(['things.1.title: title is refused'])
  })

  test('that is non-null makes its parent null', async () => {
    const { data, errors } = await run('{ book { title pages } must { pages } }', refusing({ name: 'pages' }))
    expect(data).toBeNull()
    expect(errors).toEqual(['book.pages: pages is refused', 'must.pages: pages is refused'])
  })

  test('has one error where the data end if nothing came', async () => {
    expect(
      (
        await run(
          '{ missing { t: title } none { title author { name } } }',
          refusing({ name: 'title' }, { name: 'name' }),
        )
      ).errors,
    ).toEqual(['missing: title is refused', 'none: name is refused', 'none: title is refused'])
    // Below a list, the path has the position of the first object whose field ends.
    expect(
      (await run('{ grid { id author { id: __typename name } } }', refusing({ name: 'name' }))).errors,
    ).toEqual(['grid.0.0.author.name: name is refused'])
    const lost = '{ things { id ... on Film { twin { id pages ... on Book { author { name } } } } } }'
    expect((await run(lost, refusing({ name: 'name' }))).errors).toEqual(['things.1.twin: name is refused'])
    expect((await run('{ missing { author { name } pages } }', refusing({ name: 'name' }))).errors).toEqual([
      'missing: name is refused',
    ])
    // One of the authors is there: nothing is missing for the other.
    expect(
      (await run('{ things { ... on Book { author { name } } } }', refusing({ name: 'name' }))).errors,
    ).toEqual(['things.0.author.name: name is refused'])
    // There is an object, and it is of another type.
    expect(
      (await run('{ things { ... on Film { minutes } } book { id } }', refusing({ name: 'author' }))).errors,
    ).toEqual([])
  })

  test('within a refused one has no separate error', async () => {
    const { data, errors } = await run(
      '{ book { id author { name } } }',
      refusing({ name: 'author' }, { name: 'name' }),
    )
    expect(data).toEqual({ book: { id: '1', author: null } })
    expect(errors).toEqual(['book.author: author is refused'])
  })

  test('names what lies below if that was refused', async () => {
    const { errors } = await run(
      '{ book { id author { n: name } } }',
      refusing({ name: 'author', below: ['n'] }),
    )
    expect(errors).toEqual(['book.author.n: author is refused'])
  })

  test('names what lies below up to the first list', async () => {
    const below = ['books', 'n', 'id']
    const query = '{ book { id author { books { n: twin { id } } } } none { title } }'
    const { errors } = await run(
      query,
      refusing({ name: 'author', below }, { name: 'none', below: ['title'] }),
    )
    expect(errors).toEqual(['book.author.books: author is refused', 'none: none is refused'])
  })

  test('that is not asked for by its condition has no error', async () => {
    const query =
      'query($x: Boolean!) { book { id title @include(if: $x) } missing @include(if: $x) { title } }'
    expect((await run(query, refusing({ name: 'title' }), { x: false })).errors).toEqual([])
    expect((await run(query, refusing({ name: 'title' }), { x: true })).errors).toHaveLength(2)
  })

  test('makes no fetch if all is refused', async () => {
    await using federation = await startFederation(services, { way })
    const { data, errors } = await federation.run(
      '{ book { title } __typename }',
      {},
      { refuse: (document) => ({ ...refusing({ name: 'book' })(document), allowed: null }) },
    )
    expect(data).toEqual({ book: null, __typename: 'Query' })
    expect(errorLines(errors)).toEqual(['book: book is refused'])
    expect(federation.counts()).toEqual({})
  })

  test('as a mutation is not run, and the others are', async () => {
    await using federation = await startFederation(services, { way })
    const { data, errors } = await federation.run(
      'mutation { change { id } keep { id } }',
      {},
      { once: true, refuse: refusing({ name: 'change' }) },
    )
    expect(data).toEqual({ change: null, keep: { id: '3' } })
    expect(errorLines(errors)).toEqual(['change: change is refused'])
    expect(federation.fetched.map(({ text }) => text)).toEqual(['mutation { keep { id } }'])
  })

  test('that is requested twice, once allowed, is there', async () => {
    await using federation = await startFederation(services, { way })
    const { data, errors } = await federation.run(
      '{ book { author { name } } book { id author { __typename } } }',
      {},
      {
        refuse(document) {
          const fields: FieldNode[] = []
          visit(document, { Field: (node) => void (node.name.value === 'author' && fields.push(node)) })
          return {
            allowed: document,
            refusedNodes: [
              { field: fields[0]!, parentType: 'Book', message: 'no', extensions: {}, below: ['name'] },
            ],
          }
        },
      },
    )
    expect(data).toEqual({ book: { author: { name: 'A', __typename: 'Author' }, id: '1' } })
    expect(errors).toEqual([])
  })
})
