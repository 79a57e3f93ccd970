/** Entries under idempotency keys, for the tests of their stores. */
import type { OutcomeStore } from '../../../../gateway/pipeline/idempotency/index.ts'

/** The change was made, and this is its response. */
export const finished = (text: string): string =>
  JSON.stringify({
    request: 'r',
    until: 0,
    attempt: 't',
    outcomes: { a: { kind: 'done', data: `{"a":"${text}"}`, errors: [] } },
  })

/** Nobody knows whether the change was made. */
export const unknown = '{"outcomes":{"a":{"kind":"unknown","since":1}}}'

/** What is kept, which it leaves as it is. */
export const read = (store: OutcomeStore, caller: string, key: string): Promise<string | undefined> =>
  store.swap({ caller, key }, 'nothing equals this', undefined, 0)
