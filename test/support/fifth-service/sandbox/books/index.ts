/** The stand-in of the book service: books in pages of at most three, and by id, five ids to a call. */
import type { StandIn, StandInAnswer } from '../stand-in.ts'

const titles: Readonly<Record<string, readonly string[]>> = {
  en: ['Emma', 'The Castle', 'Dracula', 'Middlemarch', 'Persuasion', 'Walden', 'Faust'],
  de: ['Emma', 'Das Schloss', 'Dracula', 'Middlemarch', 'Überredung', 'Walden', 'Faust'],
}

const refused: StandInAnswer = { status: 400, body: { error: 'wrong parameters' } }

export function createBooksStandIn(): StandIn {
  const booksIn = (language: string | null) =>
    titles[language ?? '']?.map((title, index) => ({ id: `b${index + 1}`, title }))
  return {
    service: 'books',
    routes: [
      {
        method: 'GET',
        path: '/books',
        operation: 'books.get',
        handler({ query, list }) {
          const ids = list('ids')
          const books = booksIn(query.get('lang'))
          if (books === undefined || ids.length === 0 || ids.length > 5) return refused
          return { status: 200, body: { items: books.filter(({ id }) => ids.includes(id)) } }
        },
      },
      {
        method: 'GET',
        path: '/books/all',
        operation: 'books.list',
        handler({ query }) {
          const books = booksIn(query.get('lang'))
          const from = Number(query.get('token') ?? 0)
          const size = Number(query.get('size'))
          if (books === undefined || !Number.isInteger(from) || !(size >= 1 && size <= 3)) return refused
          const next = from + size < books.length ? { next: String(from + size) } : {}
          return {
            status: 200,
            body: { items: books.slice(from, from + size), total: books.length, ...next },
          }
        },
      },
    ],
  }
}
