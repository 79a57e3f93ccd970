/** The nested query as it is, and with a variable that differs from request to request. */
import type { Operation } from '../operations.ts'

const fragments = `
fragment User on User { id username name }
fragment Review on Review { id body }
fragment Product on Product { inStock name price shippingEstimate upc weight }`
const author = 'author { ...User reviews { ...Review product { ...Product } } }'
const queryOf = (variables: string, args: string): string => `query TestQuery${variables} {
  users { ...User reviews { ...Review product { ...Product reviews { ...Review ${author} } } } }
  topProducts${args} { ...Product reviews { ...Review ${author} } }
}${fragments}`

const clients = 50

export const federatedOperations: readonly Operation[] = [
  {
    name: 'equal',
    what: 'one nested query of 87 kB, 50 clients, all ask the same',
    text: queryOf('', ''),
    variables: () => ({}),
    connections: clients,
    operationName: 'TestQuery',
  },
  {
    name: 'differing',
    what: 'the same with a variable that differs from request to request (and nine products instead of five)',
    text: queryOf('($first: Int!)', '(first: $first)'),
    variables: (index) => ({ first: 10 + (index % 400) }),
    connections: clients,
    operationName: 'TestQuery',
  },
]
