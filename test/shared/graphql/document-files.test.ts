import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documentFilesIn } from '../../../shared/graphql/document-files.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'documents-'))

test('finds each document of a volume of Kubernetes once', () => {
  const folder = newFolder()
  mkdirSync(join(folder, '..2026_11_29'))
  writeFileSync(join(folder, '..2026_11_29/books.graphql'), '{ books }')
  symlinkSync('..2026_11_29', join(folder, '..data'))
  symlinkSync('..data/books.graphql', join(folder, 'books.graphql'))
  expect(documentFilesIn(folder)).toEqual(['books.graphql'])
})

test('follows links to folders, and ends if they lead back', () => {
  const [folder, other] = [newFolder(), newFolder()]
  mkdirSync(join(folder, 'shop'))
  writeFileSync(join(folder, 'shop/books.gql'), '{ books }')
  writeFileSync(join(folder, 'shop/notes.txt'), '')
  writeFileSync(join(other, 'authors.graphql'), '{ authors }')
  symlinkSync(other, join(folder, 'other'))
  for (const name of ['back', 'again']) symlinkSync(folder, join(folder, name))
  expect(documentFilesIn(folder)).toEqual(['other/authors.graphql', 'shop/books.gql'])
})
