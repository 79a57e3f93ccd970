/** Operations in `.graphql` files: written files are read back, and any GraphQL file is an operation. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readOperationFile, writeOperationFile } from '../../../explorer/examples/operation-file.ts'

test('operations that were written come back with their titles, folders and variables', () => {
  const word = fc.stringMatching(/^[A-Za-z][\w ,.é]{0,12}[a-z]$/)
  const operation = fc.record({
    title: word,
    folder: fc.option(word, { nil: undefined }),
    variables: fc
      .dictionary(word, fc.jsonValue(), { maxKeys: 3 })
      .map((value) => JSON.stringify(value, null, 2)),
    document: fc.constantFrom('{ a }', '# a comment\nquery A { a }', 'query B {\n  # title: inside\n  b\n}'),
  })
  fc.assert(
    fc.property(fc.array(operation, { minLength: 1, maxLength: 4 }), (operations) => {
      const plain = operations.filter(({ document }) => !document.includes('title:'))
      const read = readOperationFile(writeOperationFile(plain))
      expect(read.map(({ title, folder, document }) => ({ title, folder, document }))).toEqual(
        plain.map(({ title, folder, document }) => ({
          title: title.replace(/ +/g, ' '),
          folder: folder?.replace(/ +/g, ' '),
          document: `${document}\n`,
        })),
      )
      for (const [index, { variables }] of read.entries())
        expect(JSON.parse(variables)).toEqual(JSON.parse(plain[index]!.variables))
    }),
    { numRuns: 15 },
  )
})

test('a file of somebody else is one operation, with its comments; a file of nothing is none', () => {
  const text = '\uFEFF# what it is for\r\nquery Mine { a }\r\n'
  expect(readOperationFile(text)).toEqual([
    {
      ...{ title: undefined, folder: undefined, note: undefined, scopes: [], variables: '' },
      document: '# what it is for\nquery Mine { a }\n',
    },
  ])
  expect(readOperationFile('\n\n')).toEqual([])
  expect(readOperationFile('# title: A\n{ a }\n'.repeat(5), 3).length).toBe(3)
})
