/** Computes a sentiment from the text alone, by counting the words of two short lists. */
import type { Json } from '../proto.ts'
import { plainText } from './phrases.ts'

const pleasant = new Set('good great nice love lovely thanks thank happy fine excellent'.split(' '))
const unpleasant = new Set('bad terrible awful hate sad wrong angry poor horrible never'.split(' '))

export function sentimentOf(text: string): Json {
  const words = plainText(text).toLowerCase().split(' ')
  const good = words.filter((word) => pleasant.has(word)).length
  const bad = words.filter((word) => unpleasant.has(word)).length
  const magnitude = good + bad
  const score = magnitude === 0 ? 0 : (good - bad) / magnitude
  return { queryTextSentiment: { score: score || undefined, magnitude: magnitude || undefined } }
}
