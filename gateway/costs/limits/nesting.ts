/** The depth of brackets in a document, found without recursion before anything that recurses reads it. */
import type { GraphQLError } from 'graphql'
import { type Limits, tooLarge } from './limits.ts'

const quote = 0x22
const backslash = 0x5c
const hash = 0x23
const lineFeed = 0x0a
const carriageReturn = 0x0d

export function checkNesting(text: string, { nesting }: Pick<Limits, 'nesting'>): GraphQLError | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x28: // (
      case 0x5b: // [
      case 0x7b: // {
        depth += 1
        if (depth > nesting) return tooLarge('too many brackets within brackets', nesting, depth, 'nesting')
        break
      case 0x29: // )
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1
        break
      case quote:
        at = text.startsWith('"""', at) ? blockStringEnd(text, at + 3) : stringEnd(text, at + 1)
        break
      case hash:
        at = lineEnd(text, at)
    }
  }
  return undefined
}

/** The position of the closing quote, or of the last character before the line or the text ends. */
function stringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at += 1
    else if (code === quote || code === lineFeed || code === carriageReturn) return at
  }
  return text.length
}

function blockStringEnd(text: string, from: number): number {
  for (let at = text.indexOf('"""', from); at !== -1; at = text.indexOf('"""', at + 3)) {
    if (text.charCodeAt(at - 1) !== backslash) return at + 2
  }
  return text.length
}

function lineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === lineFeed || code === carriageReturn) return at
  }
  return text.length
}
