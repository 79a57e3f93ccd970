/**
 * A caller who may not see a value learns nothing about it: neither whether there is one, nor whether it could be
 * fetched.
 */
import { casesFrom, type Draft, part, whole } from './draft.ts'

const none = ['other']
const kinds = [
  ['1', 'that is there'],
  ['2', 'that is null'],
  ['3', 'that fails'],
] as const

export const oracleCases = casesFrom(
  'oracle',
  'bank',
  'The answer to who may not see a value is the same whether it is there, null, or cannot be had.',
  [
    ...kinds.map(
      ([id, what]): Draft => ({
        about: `a value ${what}`,
        operation: `{ account(id: "${id}") { open pin } }`,
        never: ['Account.pin'],
        steps: [
          [none, part({ account: { open: 'open', pin: null } }, 'account.pin')],
          ...(id === '1'
            ? [[['pin'], whole({ account: { open: 'open', pin: 'SECRET-pin-1' } })] as const]
            : []),
        ],
      }),
    ),
    ...kinds.map(
      ([id, what]): Draft => ({
        about: `a value ${what}, where none may be null`,
        operation: `{ account(id: "${id}") { open code } }`,
        never: ['Account.code'],
        steps: [
          [none, part({ account: null }, 'account.code')],
          ...(id === '1'
            ? [[['pin'], whole({ account: { open: 'open', code: 'SECRET-pin-1' } })] as const]
            : []),
        ],
      }),
    ),
    {
      about: 'a list of objects whose value may not be null',
      operation: '{ accounts { open code } }',
      never: ['Account.code'],
      steps: [[none, part({ accounts: [null, null, null] }, 'accounts.code')]],
    },
    {
      about: 'an object that may not be null',
      operation: '{ account(id: "1") { open owner { name } } }',
      never: ['Account.owner', 'Owner.name'],
      steps: [
        [none, part({ account: null }, 'account.owner')],
        [['owner'], whole({ account: { open: 'open', owner: { name: 'SECRET-owner-1' } } })],
      ],
    },
    ...['1', '2'].map(
      (id): Draft => ({
        about: `the key of safe ${id}, which ${id === '1' ? 'is there' : 'is not'}`,
        operation: `{ safe(id: "${id}") { id key } }`,
        never: ['Safe.key'],
        steps: [[none, part({ safe: null }, 'safe.key')]] as const,
      }),
    ),
    ...['1', '2'].map(
      (id): Draft => ({
        about: `a value of another subgraph, which ${id === '1' ? 'is there' : 'is null'}`,
        road: 'entity' as const,
        operation: `{ account(id: "${id}") { plastic limit } }`,
        never: ['Account.limit'],
        steps: [
          [none, part({ account: { plastic: `plastic-${id}`, limit: null } }, 'account.limit')],
          [
            ['limit'],
            whole({ account: { plastic: `plastic-${id}`, limit: id === '1' ? 'SECRET-limit-1' : null } }),
          ],
        ] as const,
      }),
    ),
    ...kinds.map(
      ([id, what]): Draft => ({
        about: `a deferred value ${what}`,
        road: 'deferred' as const,
        operation: `{ account(id: "${id}") { open ... @defer { pin } } }`,
        never: ['Account.pin'],
        steps: [
          [none, part({ account: { open: 'open', pin: null } }, 'account.pin')],
          ...(id === '1'
            ? [[['pin'], whole({ account: { open: 'open', pin: 'SECRET-pin-1' } })] as const]
            : []),
        ],
      }),
    ),
    ...kinds.map(
      ([id, what]): Draft => ({
        about: `a deferred value ${what}, where none may be null`,
        road: 'deferred' as const,
        operation: `{ account(id: "${id}") { open ... @defer { code } } }`,
        never: ['Account.code'],
        steps: [
          [
            none,
            // The deferred part does not come. If nothing was delayed, the object is null.
            { data: [{ account: { open: 'open' } }, { account: null }], at: ['account.code'] },
          ],
          ...(id === '1'
            ? [[['pin'], whole({ account: { open: 'open', code: 'SECRET-pin-1' } })] as const]
            : []),
        ],
      }),
    ),
    {
      about: 'an object that there is not',
      operation: '{ account(id: "9") { open pin } }',
      never: ['Account.pin'],
      steps: [[none, { data: [{ account: null }], at: [], quiet: true }]],
    },
  ],
)
