/** The entities of a text: hashtags, cashtags, mentions and addresses. */
import type { Json } from './model.ts'

function entityFrom(kind: string, whole: string, name: string, idByName: ReadonlyMap<string, string>): Json {
  if (kind === 'mentions') return { username: name, id: idByName.get(name) }
  if (kind !== 'urls') return { tag: name }
  const address = `mosaic.example/${name.toLowerCase()}`
  return {
    url: whole,
    expanded_url: `https://${address}`,
    display_url: address,
    unwound_url: `https://${address}`,
    status: 200,
    title: 'Mosaic',
    description: 'About tiles.',
    images: [{ url: 'https://pbs.example/news.jpg', width: 1200, height: 630 }],
  }
}

/**
 * Each entity with its start and end in code points; undefined if there are none. `idByName` has the ids of the
 * users.
 */
export function entitiesOf(text: string, idByName: ReadonlyMap<string, string>): Json | undefined {
  const found: Record<string, Json[]> = {}
  const patterns = {
    hashtags: /#([\p{L}\p{N}_]+)/gu,
    cashtags: /\$([A-Z]{1,6})\b/g,
    mentions: /@([A-Za-z0-9_]{1,15})/g,
    urls: /https:\/\/t\.co\/([A-Za-z0-9]+)/g,
  }
  for (const [kind, pattern] of Object.entries(patterns)) {
    for (const match of text.matchAll(pattern)) {
      const start = [...text.slice(0, match.index)].length
      const span = { start, end: start + [...match[0]].length }
      const entity = entityFrom(kind, match[0], match[1] ?? '', idByName)
      found[kind] = [...(found[kind] ?? []), { ...span, ...entity }]
    }
  }
  return Object.keys(found).length === 0 ? undefined : found
}
