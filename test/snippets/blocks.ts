/** The fenced blocks of every page that a user reads, each with the page and the line at which it begins. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/deploy.ts'

export interface Block {
  readonly page: string
  readonly language: string
  readonly text: string
  /** `docs/federation.md:27`. */
  readonly place: string
}

const pages = execFileSync('git', ['ls-files', 'README.md', 'docs/*.md', 'examples/*.md', 'deploy/*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  // Made from the schema, without blocks of its own.
  .filter((page) => page !== '' && !page.startsWith('docs/reference/'))

export function blocks(): Block[] {
  return pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)\n\1```$/gm)].map(
      ({ 1: indent = '', 2: language = '', 3: body = '', index }) => ({
        page,
        language,
        text: body
          .split('\n')
          .map((line) => line.slice(indent.length))
          .join('\n'),
        place: `${page}:${text.slice(0, index).split('\n').length}`,
      }),
    )
  })
}
