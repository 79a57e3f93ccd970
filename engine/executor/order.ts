/** Runs steps in sequence or in parallel. Promises are created only for asynchronous steps. */

export type StepOf<Run> = (run: Run) => void | Promise<void>

export function sequence<Run>(steps: readonly StepOf<Run>[]): StepOf<Run> {
  const from = (run: Run, start: number): void | Promise<void> => {
    for (let i = start; i < steps.length; i++) {
      const pending = steps[i]?.(run)
      if (pending !== undefined) return i + 1 < steps.length ? pending.then(() => from(run, i + 1)) : pending
    }
  }
  return (run) => from(run, 0)
}

export function parallel<Run>(steps: readonly StepOf<Run>[]): StepOf<Run> {
  return (run) => {
    let first: Promise<void> | undefined
    let all: Promise<void>[] | undefined
    for (const step of steps) {
      const pending = step(run)
      if (pending === undefined) continue
      if (first === undefined) first = pending
      else if (all === undefined) all = [first, pending]
      else all.push(pending)
    }
    return all === undefined ? first : Promise.all(all).then(noResult)
  }
}

function noResult(): void {}
