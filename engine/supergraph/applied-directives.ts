/** Every applied directive of a document of definitions, with its place. */
import type { ConstDirectiveNode, DocumentNode, NameNode } from 'graphql'

/** A node that can have directives, with its child nodes. */
interface DirectedNode {
  readonly name?: NameNode | undefined
  readonly directives?: readonly ConstDirectiveNode[] | undefined
  readonly fields?: readonly DirectedNode[] | undefined
  readonly values?: readonly DirectedNode[] | undefined
  readonly arguments?: readonly DirectedNode[] | undefined
}

const none: readonly never[] = []

/**
 * Calls `meet` with each applied directive of definitions. `place` returns the coordinate: a type, `Type.field`,
 * `Type.field(argument:)`, or `schema`.
 */
export function eachAppliedDirective(
  definitions: DocumentNode['definitions'],
  meet: (directive: ConstDirectiveNode, place: () => string) => void,
): void {
  const path: string[] = []
  let argument: string | undefined
  const place = (): string => {
    if (path.length === 0) return 'schema'
    return argument === undefined ? path.join('.') : `${path.join('.')}(${argument}:)`
  }
  const walk = (nodes: readonly DirectedNode[] = none): void => {
    for (const { name, directives = none, fields, values, arguments: given = none } of nodes) {
      if (name !== undefined) path.push(name.value)
      for (const directive of directives) meet(directive, place)
      walk(fields)
      walk(values)
      for (const each of given) {
        argument = each.name?.value
        for (const directive of each.directives ?? none) meet(directive, place)
      }
      argument = undefined
      if (name !== undefined) path.pop()
    }
  }
  walk(definitions as readonly DirectedNode[])
}
