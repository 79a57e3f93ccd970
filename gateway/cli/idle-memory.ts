/**
 * Gives memory back to the machine when a server has nothing to do. V8 grows its heap with the load and keeps it:
 * after its start, and after every peak, a process would hold twice and more what it needs until it is asked
 * again. A thorough collection takes some 60 ms, and the thousand requests after it cost twice the CPU, until the
 * young space has grown again: before there was any work, a short quiet is enough for it, and later only one of a
 * minute, as no pause within a working day's traffic is.
 */
import { performance } from 'node:perf_hooks'
import { collectAll } from './collector.ts'

/** How often it is looked. */
const lookEveryMs = 3000
/** So many quiet looks in a row are a quiet time; for who has worked for less than this, one is enough. */
const quietLooks = 20
const littleWorkMs = 500
/** A process that is busy for less of the time than this is quiet. */
const quiet = 0.02
/** What must have come on top since the last time. */
const worthBytes = 16 * 1024 * 1024

/** For processes that serve; keeps none of them alive. The answered function ends it. */
export function giveMemoryBackWhenIdle(everyMs = lookEveryMs): () => void {
  let kept = 0
  let inRow = 0
  const first = performance.eventLoopUtilization()
  let last = first
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    inRow = utilization > quiet ? 0 : inRow + 1
    const worked = performance.eventLoopUtilization(now, first).active
    if (inRow < (worked < littleWorkMs ? 1 : quietLooks)) return
    if (process.memoryUsage.rss() < kept + worthBytes) return
    inRow = 0
    collectAll()
    kept = process.memoryUsage.rss()
    last = performance.eventLoopUtilization()
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
