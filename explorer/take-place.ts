import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'

/**
 * Moves a build to its place. The previous one is moved away before it is removed, because another build may come into
 * its place meanwhile. Tries again if one has.
 */
export async function takePlace(built: string, place: string, move = rename, triesLeft = 5): Promise<void> {
  const previous = `${built}.${triesLeft}`
  try {
    if (existsSync(place)) await moveAway(place, previous, move)
    await move(built, place)
  } catch (error) {
    if (triesLeft === 0) throw error
    await takePlace(built, place, move, triesLeft - 1)
  }
  await rm(previous, { recursive: true, force: true })
}

/** In a container, a folder that came with the image cannot be moved (EXDEV): it is removed where it is. */
async function moveAway(place: string, previous: string, move: typeof rename): Promise<void> {
  try {
    await move(place, previous)
  } catch {
    await rm(place, { recursive: true, force: true })
  }
}
