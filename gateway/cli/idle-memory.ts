/**
 * Returns memory to the machine when a server is idle, which V8 keeps after the start and after every peak. A thorough
 * collection slows the requests after it. So before the first work a short idle time is enough, and later a whole minute is
 * required, which does not occur within normal traffic.
 */
import { collectAll } from './v8-flags.ts'

/** The interval between two checks. Until the first collection, which frees what the start left behind, it is shorter. */
const lookEveryMs = 3000
const firstLooks = 6
/** How many idle checks in a row make an idle period. A process that has worked for less than this needs only one. */
const quietLooks = 20
const littleWorkMs = 500
/** A process is idle if it was busy for less than this share of the time. */
const quiet = 0.02
/** The heap must have grown by so much since the last collection. */
const worthBytes = 16 * 1024 * 1024

/** For processes that serve. It does not keep them alive. The returned function stops it. */
export function giveMemoryBackWhenIdle(everyMs = lookEveryMs): () => void {
  let kept = 0
  let inRow = 0
  let timer: NodeJS.Timeout
  // CPU time, which a machine that others keep busy does not lengthen.
  const first = cpuMs()
  let last = { at: performance.now(), cpu: first }
  const look = (): void => {
    wait()
    const now = { at: performance.now(), cpu: cpuMs() }
    inRow = now.cpu - last.cpu > quiet * (now.at - last.at) ? 0 : inRow + 1
    last = now
    if (inRow < (now.cpu - first < littleWorkMs ? 1 : quietLooks)) return
    const held = residentBytes()
    if (held === undefined || held < kept + worthBytes) return
    inRow = 0
    collectAll()
    kept = residentBytes() ?? held
    last = { at: performance.now(), cpu: cpuMs() }
  }
  const wait = (): void => {
    timer = setTimeout(look, kept === 0 ? everyMs / firstLooks : everyMs).unref()
  }
  wait()
  return () => clearTimeout(timer)
}

/** Undefined if the process has as many open files as it may have, because Node opens one to find out. */
function residentBytes(): number | undefined {
  try {
    return process.memoryUsage.rss()
  } catch {
    return undefined
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
