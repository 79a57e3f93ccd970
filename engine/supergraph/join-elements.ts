/**
 * The directives and arguments of join 0.3 to 0.5. A newer version can be read if it uses no new elements, which may
 * change how subgraphs must be queried.
 */
import { type DocumentNode, Kind } from 'graphql'
import { eachAppliedDirective } from './applied-directives.ts'

const known: ReadonlyMap<string, readonly string[]> = new Map([
  ['graph', ['name', 'url']],
  ['type', ['graph', 'key', 'extension', 'resolvable', 'isInterfaceObject']],
  [
    'field',
    [
      ...['graph', 'requires', 'provides', 'type', 'external'],
      ...['override', 'overrideLabel', 'usedOverridden', 'contextArguments'],
    ],
  ],
  ['implements', ['graph', 'interface']],
  ['unionMember', ['graph', 'member']],
  ['enumValue', ['graph']],
  ['directive', ['graphs', 'name', 'args']],
])

const contextArgumentFields: readonly string[] = ['name', 'type', 'context', 'selection']

const prefix = 'join__'

/** The first use of an unknown element of join, with its place. Undefined if there is none. */
export function unknownJoinElement(document: DocumentNode): string | undefined {
  let found: string | undefined
  eachAppliedDirective(document.definitions, (node, placeOf) => {
    if (found !== undefined || !node.name.value.startsWith(prefix)) return
    const directive = node.name.value.slice(prefix.length)
    const expected = known.get(directive)
    const place = placeOf()
    if (expected === undefined) {
      found = `@${node.name.value} on ${place}`
      return
    }
    for (const argument of node.arguments ?? []) {
      const name = argument.name.value
      if (!expected.includes(name)) found ??= `@${node.name.value}(${name}:) on ${place}`
      if (name !== 'contextArguments' || argument.value.kind !== Kind.LIST) continue
      for (const item of argument.value.values)
        for (const field of item.kind === Kind.OBJECT ? item.fields : [])
          if (!contextArgumentFields.includes(field.name.value))
            found ??= `@${node.name.value}(contextArguments: { ${field.name.value}: }) on ${place}`
    }
  })
  return found
}
