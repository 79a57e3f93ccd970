/**
 * Work that waits for its turn, fairly by who wants it: so many at a time, and each time one of another asker, so that
 * who asks a thousand times does not keep others waiting. What waits is bounded in number and time; where it is full,
 * the newest of whoever has most waiting gives way.
 */
export interface TurnsOptions {
  /** The most that run at a time. */
  readonly running: number
  /** The most that wait. */
  readonly waiting: number
  readonly waitMs: number
  /** What is rejected with that gets no turn. */
  readonly refused: () => Error
}

export interface Turns {
  run<T>(asker: string, work: () => Promise<T>): Promise<T>
  /** Refuses all that waits. */
  close(): void
}

interface Waiting {
  readonly begin: () => void
  readonly refuse: () => void
}

export function createTurns({
  running: mostRunning,
  waiting: mostWaiting,
  waitMs,
  refused,
}: TurnsOptions): Turns {
  /** By asker, in the order of their next turns. */
  const queues = new Map<string, Set<Waiting>>()
  let running = 0
  let waiting = 0

  function remove(asker: string, one: Waiting): void {
    const own = queues.get(asker)
    if (own?.delete(one) !== true) return
    waiting -= 1
    if (own.size === 0) queues.delete(asker)
  }

  /** Whether there is room for one more of this asker. */
  function makeRoom(asker: string): boolean {
    if (waiting < mostWaiting) return true
    let longest = asker
    for (const [each, { size }] of queues) if (size > (queues.get(longest)?.size ?? 0)) longest = each
    if (longest === asker) return false
    const newest = [...(queues.get(longest) ?? [])].at(-1)
    newest?.refuse()
    return newest !== undefined
  }

  function next(): void {
    if (running >= mostRunning) return
    for (const [asker, own] of queues) {
      for (const one of own) {
        remove(asker, one)
        // Its next turn comes after everybody else's.
        if (queues.delete(asker)) queues.set(asker, own)
        one.begin()
        return
      }
    }
  }

  function turn(asker: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (running < mostRunning && waiting === 0) {
        running += 1
        resolve()
        return
      }
      if (!makeRoom(asker)) {
        reject(refused())
        return
      }
      const one: Waiting = {
        begin() {
          clearTimeout(timer)
          running += 1
          resolve()
        },
        refuse() {
          clearTimeout(timer)
          remove(asker, one)
          reject(refused())
        },
      }
      const timer = setTimeout(one.refuse, waitMs)
      timer.unref()
      const own = queues.get(asker)
      if (own === undefined) queues.set(asker, new Set([one]))
      else own.add(one)
      waiting += 1
    })
  }

  return {
    async run(asker, work) {
      await turn(asker)
      try {
        return await work()
      } finally {
        running -= 1
        next()
      }
    },
    close() {
      for (const own of [...queues.values()]) for (const one of [...own]) one.refuse()
    },
  }
}

/** One client may have a whole network of IPv6 addresses: those of a /64 are one asker. */
export function askerOf(address: string | undefined): string {
  if (address === undefined || !address.includes(':') || address.includes('.')) return address ?? ''
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = (tail ?? '').split(':').filter(Boolean)
  const zeros = Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
  return [...groups, ...(tail === undefined ? [] : zeros), ...rest].slice(0, 4).join(':')
}
