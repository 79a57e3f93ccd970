/** Counts calls by operation. Lookups of one moment and one group share calls, so they are counted together. */
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import type { Ask, LookupCalls, ServiceCalls, ServiceOperation } from '../../../shared/service-calls.ts'

/** The highest possible cost of an operation, before it runs. */
interface OperationEstimate {
  readonly service: string
  readonly operation: string
  readonly calls: number
  readonly units: number
  /** What the calls request, in the service's words. */
  readonly asksFor: readonly string[]
}

export interface Estimate {
  readonly units: number
  /** Calls by service. */
  readonly calls: Readonly<Record<string, number>>
  readonly operations: readonly OperationEstimate[]
}

interface Counted {
  readonly service: ServiceCalls
  readonly operation: ServiceOperation
  calls: number
  readonly asksFor: Set<string>
}

interface Group {
  readonly service: ServiceCalls
  readonly lookup: LookupCalls
  keys: number
  readonly names: Set<string>
}

export type Tally = ReturnType<typeof createTally>
/** Lookups that leave together. */
export type Moment = ReturnType<Tally['openMoment']>

export function createTally() {
  const counted = new Map<string, Counted>()

  function add(
    service: ServiceCalls,
    operation: ServiceOperation,
    calls: number,
    names: readonly string[] = [],
  ): void {
    if (calls === 0) return
    const count = getOrInsert(counted, operation.name, () => ({
      service,
      operation,
      calls: 0,
      asksFor: new Set<string>(),
    }))
    count.calls += calls
    const text = service.printAsk?.(names)
    if (text !== undefined && operation.safe) count.asksFor.add(text)
  }

  return {
    add,
    openMoment() {
      const groups = new Map<string, Group>()
      return {
        want(service: ServiceCalls, lookup: LookupCalls, ask: Ask, keys: number): void {
          const key = `${lookup.operation.name} ${ask.group}`
          const group = getOrInsert(groups, key, () => ({
            service,
            lookup,
            keys: 0,
            names: new Set<string>(),
          }))
          group.keys += keys
          for (const name of ask.names) group.names.add(name)
        },
        /** Counts the lookups of a number of similar moments. */
        close(moments: number): void {
          for (const { service, lookup, keys, names } of groups.values()) {
            add(service, lookup.operation, moments * Math.ceil(keys / lookup.maxKeys), [...names])
          }
        },
      }
    },
    estimate(prices: Readonly<Record<string, number>> | undefined): Estimate {
      const operations = [...counted.values()].map(
        ({ service, operation: { name, units = 0 }, calls, asksFor }): OperationEstimate => ({
          service: service.service,
          operation: name,
          calls,
          units: calls * (prices?.[name] ?? units),
          asksFor: [...asksFor],
        }),
      )
      const calls: Record<string, number> = {}
      for (const each of operations) calls[each.service] = (calls[each.service] ?? 0) + each.calls
      return { units: operations.reduce((sum, { units }) => sum + units, 0), calls, operations }
    },
  }
}
