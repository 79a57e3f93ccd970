/** Keys and required fields that the gateway fetches for itself never reach clients. */
import { casesFrom, invalid, part, whole } from './draft.ts'

const rule =
  'Keys and required fields may travel between subgraphs; a client sees those alone that it may see, and what is made of a refused field is refused.'
const other = ['other']
const margin = ['margin']

export const requiresCases = casesFrom('requires', 'stock', rule, [
  {
    about: 'a field that is made of a refused one',
    road: 'entity',
    operation: '{ product(id: "1") { title price } }',
    never: ['Product.price', 'Product.margin'],
    steps: [
      [other, part({ product: { title: 'title-1', price: null } }, 'product.price')],
      [margin, whole({ product: { title: 'title-1', price: 'SECRET-price-of-SECRET-margin-1' } })],
    ],
  },
  {
    about: 'beside an open field of the same subgraph',
    road: 'entity',
    operation: '{ products { currency price } }',
    never: ['Product.price', 'Product.margin'],
    steps: [
      [other, part({ products: [1, 2].map(() => ({ currency: 'EUR', price: null })) }, 'products.price')],
      [
        margin,
        whole({
          products: [1, 2].map((at) => ({ currency: 'EUR', price: `SECRET-price-of-SECRET-margin-${at}` })),
        }),
      ],
    ],
  },
  {
    about: 'under the name of what it is made of',
    road: 'entity',
    operation: '{ product(id: "1") { margin: price title } }',
    never: ['Product.price', 'Product.margin'],
    steps: [
      [other, part({ product: { margin: null, title: 'title-1' } }, 'product.margin')],
      [margin, whole({ product: { margin: 'SECRET-price-of-SECRET-margin-1', title: 'title-1' } })],
    ],
  },
  {
    about: 'the refused field and what is made of it',
    road: 'entity',
    operation: '{ product(id: "1") { title margin price } }',
    never: ['Product.price', 'Product.margin'],
    steps: [
      [
        other,
        part({ product: { title: 'title-1', margin: null, price: null } }, 'product.margin', 'product.price'),
      ],
      [
        margin,
        whole({
          product: { title: 'title-1', margin: 'SECRET-margin-1', price: 'SECRET-price-of-SECRET-margin-1' },
        }),
      ],
    ],
  },
  {
    about: 'a refused key that leads to an open field',
    road: 'entity',
    operation: '{ product(id: "1") { title place } }',
    steps: [[other, whole({ product: { title: 'title-1', place: 'place-1' } })]],
  },
  {
    about: 'a refused key that is asked for, and leads to an open field',
    road: 'entity',
    operation: '{ products { sku place } }',
    steps: [
      [other, part({ products: [1, 2].map((at) => ({ sku: null, place: `place-${at}` })) }, 'products.sku')],
      [['sku'], whole({ products: [1, 2].map((at) => ({ sku: `SECRET-sku-${at}`, place: `place-${at}` })) })],
    ],
  },
  {
    about: 'an open field under the name of a refused key that is needed',
    road: 'entity',
    operation: '{ product(id: "1") { sku: title place } }',
    steps: [[other, whole({ product: { sku: 'title-1', place: 'place-1' } })]],
  },
  {
    about: 'an open field under the name of an open key that is needed',
    road: 'entity',
    operation: '{ product(id: "1") { id: title currency } }',
    steps: [[other, whole({ product: { id: 'title-1', currency: 'EUR' } })]],
  },
  {
    about: 'a refused key under the name of an open field',
    road: 'entity',
    operation: '{ product(id: "1") { place: sku title } }',
    steps: [
      [other, part({ product: { place: null, title: 'title-1' } }, 'product.place')],
      [['sku'], whole({ product: { place: 'SECRET-sku-1', title: 'title-1' } })],
    ],
  },
  {
    about: 'a field that is made of a refused one, deferred beside an open one',
    road: 'deferred',
    operation: '{ products { title ... @defer { currency price } } }',
    never: ['Product.price', 'Product.margin'],
    steps: [
      [
        other,
        part(
          { products: [1, 2].map((at) => ({ title: `title-${at}`, currency: 'EUR', price: null })) },
          'products.price',
        ),
      ],
      [
        margin,
        whole({
          products: [1, 2].map((at) => ({
            title: `title-${at}`,
            currency: 'EUR',
            price: `SECRET-price-of-SECRET-margin-${at}`,
          })),
        }),
      ],
    ],
  },
  {
    about: 'a deferred field by a refused key, which is asked for at once',
    road: 'deferred',
    operation: '{ products { sku ... @defer { place } } }',
    steps: [
      [other, part({ products: [1, 2].map((at) => ({ sku: null, place: `place-${at}` })) }, 'products.sku')],
      [['sku'], whole({ products: [1, 2].map((at) => ({ sku: `SECRET-sku-${at}`, place: `place-${at}` })) })],
    ],
  },
  {
    about: 'an open field at once under the name of the refused key of a deferred one',
    road: 'deferred',
    operation: '{ product(id: "1") { sku: title ... @defer { place } } }',
    steps: [[other, whole({ product: { sku: 'title-1', place: 'place-1' } })]],
  },
  {
    about: 'entities asked for at the gateway',
    road: 'direct',
    graph: 'shop',
    operation:
      'query ($them: [_Any!]!) { _entities(representations: $them) { ... on User { email notes } } }',
    variables: { them: [{ __typename: 'User', id: '1' }] },
    never: ['User.email', 'User.notes', 'Query._entities'],
    steps: [
      ['anonymous', invalid],
      [['email'], invalid],
    ],
  },
])
