/** The rule of a field holds under any alias. */
import { casesFrom, part, whole } from './draft.ts'
import { casesOf, type Form, fieldOf } from './forms.ts'

const forms: readonly Form[] = [
  { name: 'under its own name', write: fieldOf, keys: ({ field }) => [field] },
  { name: 'under another name', write: (place) => `other: ${fieldOf(place)}`, keys: () => ['other'] },
  {
    name: 'under the name of an open field',
    write: (place) => `nick: ${fieldOf(place)}`,
    keys: () => ['nick'],
  },
  {
    name: 'twice',
    write: (place) => `one: ${fieldOf(place)} two: ${fieldOf(place)}`,
    keys: () => ['one', 'two'],
  },
  {
    name: 'its name for an open field',
    write: (place) => `${place.field}: nick secret: ${fieldOf(place)}`,
    keys: () => ['secret'],
    open: () => ({}),
  },
]

/** The open field is returned under the refused one's name, with its own value. */
const swapped = forms[4]

export const aliasCases = [
  ...casesOf('alias', 'A field has its rule under whatever name the client gives it.', forms.slice(0, 4)),
  ...(swapped === undefined
    ? []
    : casesOf(
        'alias',
        'An open field that is called as a refused one stays open, and the refused one shut.',
        [swapped],
      ).map((one) => {
        const field = /(\w+): nick /.exec(one.operation)?.[1] ?? ''
        const add = (value: unknown): unknown => {
          if (Array.isArray(value)) return value.map(add)
          if (typeof value !== 'object' || value === null) return value
          const entries = Object.entries(value).map(([key, inner]) => [key, add(inner)] as const)
          const { name } = value as { name?: string }
          return Object.fromEntries(
            'secret' in value && name !== undefined
              ? [...entries, [field, name.replace('name', 'nick')] as const]
              : entries,
          )
        }
        return {
          ...one,
          steps: one.steps.map((step) => ({
            ...step,
            expect: (add({ e: step.expect }) as { e: typeof step.expect }).e,
          })),
        }
      })),
  ...casesFrom(
    'alias',
    'shop',
    'Who may not subscribe to a field gets no event of it, whatever it is called.',
    [
      {
        about: 'a subscription',
        road: 'live',
        operation: 'subscription { auditAdded }',
        never: ['Subscription.auditAdded'],
        steps: [
          ['anonymous', part({ auditAdded: null }, 'auditAdded')],
          [['email'], part({ auditAdded: null }, 'auditAdded')],
          [['audit'], whole({ auditAdded: 'SECRET-audit' })],
        ],
      },
      {
        about: 'a subscription under the name of an open one, in a fragment',
        road: 'live',
        operation: 'subscription { ...F } fragment F on Subscription { userChanged: auditAdded }',
        never: ['Subscription.auditAdded'],
        steps: [
          [['email'], part({ userChanged: null }, 'userChanged')],
          [['audit'], whole({ userChanged: 'SECRET-audit' })],
        ],
      },
    ],
  ),
]
