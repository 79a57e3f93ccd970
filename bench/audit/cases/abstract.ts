/**
 * Interfaces and unions whose types have different rules. If a field is selected on the interface and one type's
 * field is refused, a gateway may refuse it on all types or only on that one. Both are right, so an open value may
 * be missing.
 */
import type { Case, Json } from '../lib/types.ts'

const rule = 'A rule of one type holds when the field is selected through what the type is part of.'
const own = { hole: 'abstract' as const, graph: 'zoo', rule }
const cat = { name: 'cat', tag: 'cat-tag' }

interface Draft {
  readonly about: string
  readonly road?: Case['road']
  readonly operation: string
  readonly whole: Json
  readonly refused: readonly Json[]
  readonly at: readonly string[]
  readonly holder: readonly string[]
  readonly lacking?: readonly string[]
  readonly never?: readonly string[]
  readonly quiet?: true
}

const drafts: readonly Draft[] = [
  {
    about: 'a field of the interface',
    operation: '{ animals { name tag } }',
    whole: { animals: [{ name: 'dog', tag: 'SECRET-dog-tag' }, cat] },
    refused: [
      { animals: [{ name: 'dog', tag: null }, cat] },
      {
        animals: [
          { name: 'dog', tag: null },
          { name: 'cat', tag: null },
        ],
      },
    ],
    at: ['animals.tag'],
    holder: ['dog'],
    never: ['Dog.tag'],
  },
  {
    about: 'a field of the interface, deferred',
    road: 'deferred',
    operation: '{ animals { name ... @defer { tag } } }',
    whole: { animals: [{ name: 'dog', tag: 'SECRET-dog-tag' }, cat] },
    refused: [
      { animals: [{ name: 'dog', tag: null }, cat] },
      {
        animals: [
          { name: 'dog', tag: null },
          { name: 'cat', tag: null },
        ],
      },
    ],
    at: ['animals.tag'],
    holder: ['dog'],
    never: ['Dog.tag'],
  },
  {
    about: 'a field of one type, deferred in a fragment on it',
    road: 'deferred',
    operation: '{ animals { name ... on Dog @defer { bark chip } ... on Cat @defer { chip } } }',
    whole: {
      animals: [
        { name: 'dog', bark: 'SECRET-bark', chip: 'SECRET-dog-chip' },
        { name: 'cat', chip: 'cat-chip' },
      ],
    },
    refused: [
      {
        animals: [
          { name: 'dog', bark: null, chip: null },
          { name: 'cat', chip: 'cat-chip' },
        ],
      },
    ],
    at: ['animals.bark', 'animals.chip'],
    holder: ['dog', 'vet'],
    never: ['Dog.bark', 'Dog.chip'],
  },
  {
    about: 'a field of the interface, by an alias',
    operation: '{ animals { name t: tag } }',
    whole: {
      animals: [
        { name: 'dog', t: 'SECRET-dog-tag' },
        { name: 'cat', t: 'cat-tag' },
      ],
    },
    refused: [
      {
        animals: [
          { name: 'dog', t: null },
          { name: 'cat', t: 'cat-tag' },
        ],
      },
      {
        animals: [
          { name: 'dog', t: null },
          { name: 'cat', t: null },
        ],
      },
    ],
    at: ['animals.t'],
    holder: ['dog'],
    never: ['Dog.tag'],
  },
  {
    about: 'a field of the interface, in a fragment on it',
    operation: '{ animals { ...F } } fragment F on Animal { name ... on Animal { tag } }',
    whole: { animals: [{ name: 'dog', tag: 'SECRET-dog-tag' }, cat] },
    refused: [
      { animals: [{ name: 'dog', tag: null }, cat] },
      {
        animals: [
          { name: 'dog', tag: null },
          { name: 'cat', tag: null },
        ],
      },
    ],
    at: ['animals.tag'],
    holder: ['dog'],
    never: ['Dog.tag'],
  },
  {
    about: 'the sibling of a refused field keeps its own',
    operation: '{ animals { name ... on Dog { x: bark } ... on Cat { x: meow } } }',
    whole: {
      animals: [
        { name: 'dog', x: 'SECRET-bark' },
        { name: 'cat', x: 'meow' },
      ],
    },
    refused: [
      {
        animals: [
          { name: 'dog', x: null },
          { name: 'cat', x: 'meow' },
        ],
      },
      {
        animals: [
          { name: 'dog', x: null },
          { name: 'cat', x: null },
        ],
      },
    ],
    at: ['animals.x'],
    holder: ['dog'],
    never: ['Dog.bark'],
  },
  {
    about: 'a refused field under the name of a sibling’s',
    operation: '{ animals { ... on Dog { meow: bark name } ... on Cat { meow name } } }',
    whole: {
      animals: [
        { meow: 'SECRET-bark', name: 'dog' },
        { meow: 'meow', name: 'cat' },
      ],
    },
    refused: [
      {
        animals: [
          { meow: null, name: 'dog' },
          { meow: 'meow', name: 'cat' },
        ],
      },
      {
        animals: [
          { meow: null, name: 'dog' },
          { meow: null, name: 'cat' },
        ],
      },
    ],
    at: ['animals.meow'],
    holder: ['dog'],
    never: ['Dog.bark'],
  },
  {
    about: 'both on the interface and on the type',
    operation: '{ animals { name tag ... on Dog { tag } } }',
    whole: { animals: [{ name: 'dog', tag: 'SECRET-dog-tag' }, cat] },
    refused: [
      { animals: [{ name: 'dog', tag: null }, cat] },
      {
        animals: [
          { name: 'dog', tag: null },
          { name: 'cat', tag: null },
        ],
      },
    ],
    at: ['animals.tag'],
    holder: ['dog'],
    never: ['Dog.tag'],
  },
  {
    about: 'a type that needs no scope, of an interface where another does',
    operation: '{ animal(id: "c") { name ... on Cat { tag } } }',
    whole: { animal: cat },
    refused: [],
    at: [],
    holder: ['other'],
  },
  {
    about: 'a field of another subgraph, on one type of two',
    road: 'entity',
    operation: '{ animals { name ... on Dog { weight chip } ... on Cat { weight chip } } }',
    whole: {
      animals: [
        { name: 'dog', weight: 30, chip: 'SECRET-dog-chip' },
        { name: 'cat', weight: 4, chip: 'cat-chip' },
      ],
    },
    refused: [
      {
        animals: [
          { name: 'dog', weight: 30, chip: null },
          { name: 'cat', weight: 4, chip: 'cat-chip' },
        ],
      },
      {
        animals: [
          { name: 'dog', weight: 30, chip: null },
          { name: 'cat', weight: 4, chip: null },
        ],
      },
    ],
    at: ['animals.chip'],
    holder: ['vet'],
    never: ['Dog.chip'],
  },
  {
    about: 'a member of a union that is refused whole',
    operation: '{ found(id: "k") { ... on Keeper { title } } }',
    whole: { found: { title: 'SECRET-title' } },
    refused: [{ found: null }, { found: {} }, { found: { title: null } }],
    at: ['found'],
    holder: ['keeper'],
    never: ['Keeper.title', 'Keeper.shift'],
  },
  {
    about: 'a member of a union beside open ones',
    operation: '{ found(id: "c") { ... on Cat { name } ... on Keeper { title } } }',
    whole: { found: { name: 'cat' } },
    refused: [{ found: { name: 'cat' } }],
    quiet: true,
    at: [],
    holder: ['keeper'],
    never: ['Keeper.title'],
  },
  {
    about: 'an interface whose only type has a rule',
    operation: '{ sealed { ... on Box { code } } }',
    whole: { sealed: { code: 'SECRET-code' } },
    refused: [{ sealed: null }, { sealed: {} }, { sealed: { code: null } }],
    at: ['sealed'],
    holder: ['sealed'],
    never: ['Box.code'],
  },
  {
    about: 'a type with a rule, by a field of its interface',
    operation: '{ sealed { code } }',
    whole: { sealed: { code: 'SECRET-code' } },
    refused: [{ sealed: null }, { sealed: {} }, { sealed: { code: null } }],
    at: ['sealed'],
    holder: ['sealed'],
    never: ['Box.code'],
  },
]

export const abstractCases: readonly Case[] = drafts.map((draft) => ({
  ...own,
  id: `abstract: ${draft.about}`,
  road: draft.road ?? 'root',
  operation: draft.operation,
  never: draft.never ?? [],
  steps: [
    ...(draft.refused.length === 0
      ? []
      : [
          {
            by: draft.lacking ?? ['other'],
            expect: {
              data: draft.refused,
              at: draft.at,
              ...(draft.quiet === undefined ? {} : { quiet: draft.quiet }),
            },
          } as const,
        ]),
    { by: draft.holder, expect: { whole: draft.whole } },
  ],
}))
