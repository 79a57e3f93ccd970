/** What the subgraphs together say about the types and fields of a world. */
import { Kind, type SelectionSetNode, type TypeNode } from 'graphql'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import type { ContextArgument, Service } from './services.ts'

export interface FieldFacts {
  readonly type: TypeNode
  readonly defaults: ReadonlyMap<string, unknown>
  /** The object types that every subgraph which has the field can answer it with; undefined for leaves. */
  readonly possible: readonly string[] | undefined
  readonly isKey: boolean
  readonly requires: readonly SelectionSetNode[]
  readonly contextArguments: readonly (ContextArgument & { readonly holders: ReadonlySet<string> })[]
}

export class WorldTypes {
  readonly #services: readonly Service[]
  readonly #interfacesOf: ReadonlyMap<string, ReadonlySet<string>>
  readonly #facts = new Map<string, FieldFacts>()
  /** The names of all object types, sorted. */
  readonly objectTypes: readonly string[]
  readonly entities: ReadonlySet<string>

  constructor(services: readonly Service[]) {
    this.#services = services
    const objects = services.flatMap(({ types }) =>
      [...types.values()].filter(({ kind, interfaceObject }) => kind === 'object' && !interfaceObject),
    )
    this.entities = new Set(objects.filter(({ keys }) => keys.length > 0).map(({ name }) => name))
    this.objectTypes = [...new Set(objects.map(({ name }) => name))].sort()
    this.#interfacesOf = new Map(
      this.objectTypes.map((type) => [
        type,
        new Set(services.flatMap(({ types }) => [...(types.get(type)?.interfaces ?? [])])),
      ]),
    )
  }

  /** The object types that a type of a subgraph stands for. */
  possibleIn(service: Service, name: string): ReadonlySet<string> {
    const type = service.types.get(name)
    if (type?.kind === 'union') return type.members
    if (type?.kind === 'interface') {
      return new Set(
        [...service.types.values()]
          .filter(({ kind, interfaces }) => kind === 'object' && interfaces.has(name))
          .map((each) => each.name),
      )
    }
    if (type?.interfaceObject === true)
      return new Set(this.objectTypes.filter((each) => this.#interfacesOf.get(each)?.has(name)))
    return new Set([name])
  }

  field(type: string, field: string): FieldFacts {
    return getOrInsert(this.#facts, `${type}.${field}`, () => this.#readField(type, field))
  }

  /** The values that every subgraph which has the enum knows; none if it is no enum. */
  enumValues(name: string): readonly string[] {
    const sets = this.#services.flatMap(({ types }) => {
      const type = types.get(name)
      return type?.kind === 'enum' ? [type.values] : []
    })
    return [...(sets[0] ?? [])].filter((value) => sets.every((set) => set.has(value)))
  }

  /** Whether an object type meets the condition of a fragment. */
  isA(type: string, condition: string | undefined): boolean {
    return (
      condition === undefined ||
      type === condition ||
      this.#interfacesOf.get(type)?.has(condition) === true ||
      this.#services.some(({ types }) => types.get(condition)?.members.has(type) === true)
    )
  }

  #readField(type: string, field: string): FieldFacts {
    const declared = this.#services.flatMap((service) =>
      this.#typesOf(service, type).flatMap((owner) => {
        const found = owner.fields.get(field)
        return found === undefined ? [] : [{ service, owner, field: found }]
      }),
    )
    const [first] = declared
    if (first === undefined) throw new Error(`No subgraph has ${type}.${field}.`)
    const name = namedType(first.field.type)
    const composite = this.#services.some(({ types }) =>
      ['object', 'interface', 'union'].includes(types.get(name)?.kind ?? ''),
    )
    const sets = declared.map(({ service }) => this.possibleIn(service, name))
    return {
      type: declared.map((each) => each.field.type).reduce(strictest),
      defaults: new Map(declared.flatMap((each) => [...each.field.defaults])),
      possible: composite
        ? [...(sets[0] ?? [])].filter((each) => sets.every((set) => set.has(each))).sort()
        : undefined,
      isKey: this.#services.some((service) =>
        this.#typesOf(service, type).some(({ keys }) =>
          keys.some(({ selection }) => selects(selection, field)),
        ),
      ),
      requires: declared.flatMap((each) => each.field.requires ?? []),
      contextArguments: declared.flatMap(({ service, field: each }) =>
        each.contextArguments.map((argument) => ({
          ...argument,
          holders: new Set(
            [...service.types.values()]
              .filter(({ contexts }) => contexts.has(argument.context))
              .flatMap((holder) => [...this.possibleIn(service, holder.name)]),
          ),
        })),
      ),
    }
  }

  /** The type itself, and the interfaces that stand for it if they are objects. */
  #typesOf(service: Service, type: string) {
    return [...service.types.values()].filter(
      ({ name, kind, interfaceObject }) =>
        kind === 'object' &&
        (name === type || (interfaceObject && this.#interfacesOf.get(type)?.has(name) === true)),
    )
  }
}

function selects(selection: SelectionSetNode, field: string): boolean {
  return selection.selections.some((node) => node.kind === Kind.FIELD && node.name.value === field)
}

export function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type)
}

/** Not null wherever one of the two is not. */
function strictest(a: TypeNode, b: TypeNode): TypeNode {
  if (a.kind === Kind.NON_NULL_TYPE || b.kind === Kind.NON_NULL_TYPE) {
    const type = strictest(
      a.kind === Kind.NON_NULL_TYPE ? a.type : a,
      b.kind === Kind.NON_NULL_TYPE ? b.type : b,
    )
    return type.kind === Kind.NON_NULL_TYPE ? type : { kind: Kind.NON_NULL_TYPE, type }
  }
  if (a.kind === Kind.LIST_TYPE && b.kind === Kind.LIST_TYPE)
    return { kind: Kind.LIST_TYPE, type: strictest(a.type, b.type) }
  return a
}
