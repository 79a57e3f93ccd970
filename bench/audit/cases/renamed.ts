/**
 * Fields that clients cannot select, fields that several subgraphs have, fields that moved, and scopes that are
 * nearly right.
 */
import { casesFrom, invalid, part, whole } from './draft.ts'

const other = ['other']
const hidden = [
  ['by its name', '{ product(id: "1") { title hidden } }'],
  ['by an alias', '{ product(id: "1") { title: hidden } }'],
  ['in a fragment', '{ product(id: "1") { ...F } } fragment F on Product { hidden }'],
] as const

export const renamedCases = [
  ...casesFrom(
    'renamed',
    'stock',
    'What is inaccessible is not in the schema of clients, whatever scopes they have.',
    [
      ...hidden.map(([form, operation]) => ({
        about: `an inaccessible field, ${form}`,
        operation,
        never: ['Product.hidden'],
        steps: [
          [other, invalid],
          [['sku', 'margin', 'label', 'hidden'], invalid],
        ] as const,
      })),
      {
        about: 'an inaccessible root field',
        operation: '{ ledger { total } }',
        never: ['Query.ledger', 'Ledger.total'],
        steps: [[other, invalid]],
      },
    ],
  ),
  ...casesFrom(
    'renamed',
    'stock',
    'A rule that one subgraph states holds in whichever the field is resolved.',
    [
      {
        about: 'a shared field, found where its rule stands',
        operation: '{ product(id: "1") { title label } }',
        never: ['Product.label'],
        steps: [
          [other, part({ product: { title: 'title-1', label: null } }, 'product.label')],
          [['label'], whole({ product: { title: 'title-1', label: 'SECRET-label-1' } })],
        ],
      },
      {
        about: 'a shared field, beside one of the subgraph without the rule',
        road: 'entity',
        operation: '{ products { currency label } }',
        never: ['Product.label'],
        steps: [
          [other, part({ products: [1, 2].map(() => ({ currency: 'EUR', label: null })) }, 'products.label')],
          [
            ['label'],
            whole({ products: [1, 2].map((at) => ({ currency: 'EUR', label: `SECRET-label-${at}` })) }),
          ],
        ],
      },
      {
        about: 'a field that moved away from its rule',
        road: 'entity',
        operation: '{ product(id: "1") { title moved } }',
        never: ['Product.moved'],
        steps: [
          [other, part({ product: { title: 'title-1', moved: null } }, 'product.moved')],
          [['moved'], whole({ product: { title: 'title-1', moved: 'SECRET-moved-1' } })],
        ],
      },
    ],
  ),
  ...casesFrom(
    'renamed',
    'shop',
    'A scope is its whole name, and each alternative requires all of its scopes.',
    [
      ...['emai', 'email2', 'EMAIL', 'email.read', 'email,other'].map((scope) => ({
        about: `a scope that is nearly right: ${scope}`,
        operation: '{ user(id: "1") { name email } }',
        never: ['User.email'],
        steps: [[[scope], part({ user: { name: 'name-1', email: null } }, 'user.email')]] as const,
      })),
      {
        about: 'both of two scopes',
        operation: '{ user(id: "1") { name both } }',
        never: ['User.both'],
        steps: [
          [['a'], part({ user: { name: 'name-1', both: null } }, 'user.both')],
          [['b'], part({ user: { name: 'name-1', both: null } }, 'user.both')],
          [['b', 'a'], whole({ user: { name: 'name-1', both: 'SECRET-both' } })],
        ],
      },
      {
        about: 'either of two scopes',
        operation: '{ user(id: "1") { name either } }',
        never: ['User.either'],
        steps: [
          [other, part({ user: { name: 'name-1', either: null } }, 'user.either')],
          [['b'], whole({ user: { name: 'name-1', either: 'SECRET-either' } })],
        ],
      },
      {
        about: 'a root field beside an open one',
        operation: '{ version audit }',
        never: ['Query.audit'],
        steps: [
          ['anonymous', part({ version: 'v1', audit: null }, 'audit')],
          [['audit'], whole({ version: 'v1', audit: 'SECRET-audit' })],
        ],
      },
    ],
  ),
]
