/** The sample comment threads. */
import type { Thread } from './model.ts'
import { at, channelIds, token } from './sample-ids.ts'

const commenters = ['Ada', 'Bram', 'Chidi', 'Dunja', 'Emre', 'Freya', 'Goro', 'Hana', 'Ivo', 'Jun'] as const
const remarks = [
  'This made my morning.',
  'I tried it and it works & works.',
  'The part at the end\nis the best part.',
  'More of this, please!',
  'Could you show the tools again?',
  'My grandmother did it the other way round.',
  'Lovely light in this one.',
] as const

export function threadOf(key: string, index: number, videoId: string | undefined, channelId: string): Thread {
  const id = `Ug${token(`thread ${key} ${index}`, 22)}AaABAg`
  const replies = at([0, 1, 2, 7], index)
  const minutes = String(index % 60).padStart(2, '0')
  const author = at(commenters, index * 3)
  return {
    id,
    videoId,
    channelId,
    text: at(remarks, index),
    author: { name: author, channelId: index % 5 === 3 ? undefined : `UC${token(`author ${author}`, 22)}` },
    likes: (index * 7) % 31,
    publishedAt: `2026-0${(index % 9) + 1}-1${index % 9}T12:${minutes}:00Z`,
    replies: Array.from({ length: replies }, (_, i) => ({
      id: `${id}.${token(`reply ${i}`, 22)}`,
      text: at(remarks, index + i + 1),
      author: at(commenters, index + i),
    })),
  }
}

/** Threads for benchmarks, which are computed from the id of their video. */
export function syntheticThreads(id: string): Thread[] {
  return Array.from({ length: 20 }, (_, i) => threadOf(id, i, id, at(channelIds, i)))
}
