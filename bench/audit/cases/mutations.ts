/** A refused root field of a mutation does not run, whatever is beside it. */
import { casesFrom, part, whole } from './draft.ts'

const none = ['other']
const noted = { id: 'n', line: 'x' }

export const mutationCases = casesFrom(
  'mutations',
  'bank',
  'A refused root field does not run. One that is open beside it may run, or the whole is refused and nothing runs.',
  [
    {
      about: 'alone',
      operation: 'mutation { deposit(to: "1") { id line } }',
      never: ['Mutation.deposit'],
      steps: [
        [none, part({ deposit: null }, 'deposit')],
        ['anonymous', part({ deposit: null }, 'deposit')],
        [['write'], whole({ deposit: { id: 'd1', line: 'SECRET-line' } })],
      ],
    },
    {
      about: 'after an open one',
      operation: 'mutation { note(text: "x") { id line } deposit(to: "1") { id } }',
      never: ['Mutation.deposit'],
      steps: [
        [none, part({ note: noted, deposit: null }, 'deposit')],
        [['write'], whole({ note: noted, deposit: { id: 'd1' } })],
      ],
    },
    {
      about: 'before an open one',
      operation: 'mutation { deposit(to: "1") { id } note(text: "x") { id line } }',
      never: ['Mutation.deposit'],
      steps: [
        [none, part({ deposit: null, note: noted }, 'deposit')],
        [['write'], whole({ deposit: { id: 'd1' }, note: noted })],
      ],
    },
    {
      about: 'twice, by aliases',
      operation: 'mutation { one: deposit(to: "1") { id } two: deposit(to: "2") { id } }',
      never: ['Mutation.deposit'],
      steps: [
        [none, part({ one: null, two: null }, 'one', 'two')],
        [['write'], whole({ one: { id: 'd1' }, two: { id: 'd2' } })],
      ],
    },
    {
      about: 'under the name of an open one',
      operation: 'mutation { note: deposit(to: "1") { id } }',
      never: ['Mutation.deposit'],
      steps: [
        [none, part({ note: null }, 'note')],
        [['write'], whole({ note: { id: 'd1' } })],
      ],
    },
    {
      about: 'a leaf, in a fragment',
      operation: 'mutation { ...F } fragment F on Mutation { close(id: "1") }',
      never: ['Mutation.close'],
      steps: [
        [none, part({ close: null }, 'close')],
        [['write'], whole({ close: true })],
      ],
    },
    {
      about: 'a refused field of the answer',
      operation: 'mutation { note(text: "x") { id balance } }',
      never: ['Receipt.balance'],
      steps: [
        [none, part({ note: { id: 'n', balance: null } }, 'note.balance')],
        [['balance'], whole({ note: { id: 'n', balance: 'SECRET-balance' } })],
      ],
    },
    {
      about: 'who may write, and may not see the balance',
      operation: 'mutation { deposit(to: "1") { id line balance } }',
      never: ['Receipt.balance'],
      steps: [
        [['write'], part({ deposit: { id: 'd1', line: 'SECRET-line', balance: null } }, 'deposit.balance')],
        [
          ['write', 'balance'],
          whole({ deposit: { id: 'd1', line: 'SECRET-line', balance: 'SECRET-balance' } }),
        ],
      ],
    },
    {
      about: 'a refused field of the answer, deferred',
      road: 'deferred',
      operation: 'mutation { note(text: "x") { id ... @defer { balance } } }',
      never: ['Receipt.balance'],
      steps: [
        [none, part({ note: { id: 'n', balance: null } }, 'note.balance')],
        [['balance'], whole({ note: { id: 'n', balance: 'SECRET-balance' } })],
      ],
    },
    {
      about: 'a refused one whose fields are deferred, beside an open one whose fields are',
      road: 'deferred',
      operation:
        'mutation { deposit(to: "1") { ... @defer { id line } } note(text: "x") { ... @defer { id line } } }',
      never: ['Mutation.deposit'],
      steps: [
        [none, part({ deposit: null, note: noted }, 'deposit')],
        [['write'], whole({ deposit: { id: 'd1', line: 'SECRET-line' }, note: noted })],
      ],
    },
    {
      about: 'a refused one that is skipped',
      operation:
        'mutation ($no: Boolean!) { note(text: "x") { id line } deposit(to: "1") @include(if: $no) { id } }',
      variables: { no: false },
      never: ['Mutation.deposit'],
      steps: [[none, { data: [{ note: noted }, { note: noted, deposit: null }], at: [], quiet: true }]],
    },
  ],
)
