/**
 * Gives memory back to the machine when a server has nothing to do. V8 grows its heap with the load and keeps it:
 * after its start, and after every peak, a process would hold twice and more what it needs until it is asked
 * again. A quiet moment of some seconds is used for one thorough collection, of about 60 ms.
 */
import { performance } from 'node:perf_hooks'
import { collectAll } from '../../subgraphs/lib/collector.ts'

/** How often it is looked, and the quiet time that it takes. */
const lookEveryMs = 3000
/** A process that is busy for less of the time than this is quiet. */
const quiet = 0.02
/** What must have come on top since the last time. */
const worthBytes = 16 * 1024 * 1024

/** For processes that serve; keeps none of them alive. The answered function ends it. */
export function giveMemoryBackWhenIdle(everyMs = lookEveryMs): () => void {
  let kept = 0
  let last = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    if (utilization > quiet || process.memoryUsage.rss() < kept + worthBytes) return
    collectAll()
    kept = process.memoryUsage.rss()
    last = performance.eventLoopUtilization()
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
