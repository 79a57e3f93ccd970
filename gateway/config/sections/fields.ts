/** The kinds of values that sections hold. Messages say what was expected, and never repeat a value. */
import { z } from 'zod'

export const milliseconds = (minimum: number, maximum: number) =>
  z
    .number({ error: `expected milliseconds from ${minimum} to ${maximum}` })
    .int(`expected milliseconds from ${minimum} to ${maximum}`)
    .min(minimum, `expected milliseconds from ${minimum} to ${maximum}`)
    .max(maximum, `expected milliseconds from ${minimum} to ${maximum}`)

export const count = (minimum: number, maximum: number) =>
  z
    .number({ error: `expected a whole number from ${minimum} to ${maximum}` })
    .int(`expected a whole number from ${minimum} to ${maximum}`)
    .min(minimum, `expected a whole number from ${minimum} to ${maximum}`)
    .max(maximum, `expected a whole number from ${minimum} to ${maximum}`)

export const share = z
  .number({ error: 'expected a number from 0 to 1' })
  .min(0, 'expected a number from 0 to 1')
  .max(1, 'expected a number from 0 to 1')

export const yesOrNo = z.boolean({ error: 'expected true or false' })

/** An address of a subgraph: it may have a query, but no credentials. */
export const subgraphUrl = z.string({ error: 'expected an http or https address' }).refine((text) => {
  const url = URL.parse(text)
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '' && url.hash === ''
  )
}, 'expected an http or https address without user or fragment, such as https://products.example.com/graphql')

/** The names of subgraphs as keys. `all` applies to every one of them. */
export const subgraphName = z.string().min(1).max(200)

/** A variable of the environment whose value is inserted here, so that no file contains a secret. */
export const environmentName = z
  .string({ error: 'expected the name of a variable of the environment' })
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, 'expected the name of a variable of the environment')
  .describe('A variable of the environment, whose value it has.')
