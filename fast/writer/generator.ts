/**
 * Generates code from a shape. Text that is known in advance is collected and written in one piece. Members after
 * the first have a comma before them, and conditions are looked up in the variables.
 *
 * Only names of GraphQL (letters, digits, underscores) become part of the code, as string literals.
 */

import { estimatedBytes, type NoteBytes } from '../../engine/index.ts'
import type { FieldShape, ObjectShape, ResponsePosition } from '../../engine/response/index.ts'
import type { AnyOf } from '../../shared/graphql/conditions.ts'

/**
 * The most fields in one function before objects below it get their own, because V8 does not optimize huge
 * functions.
 */
const mostFields = 200

export abstract class Generator<Called extends (...values: never[]) => unknown> {
  /** JSON that is known and not in the code yet. */
  protected pending = ''
  readonly #lines: string[] = []
  readonly #called: Called[] = []
  #names = 0
  #fields = 0
  protected readonly noteBytes: NoteBytes

  constructor(noteBytes: NoteBytes) {
    this.noteBytes = noteBytes
  }

  /** Adds the pending JSON to the code. */
  protected abstract flush(): void

  /** The members of an object, without its braces. */
  protected members({ fields }: ObjectShape, member: (field: FieldShape) => void): void {
    const conditional = fields.some(({ conditions }) => conditions !== undefined)
    const first = conditional ? this.name() : ''
    if (conditional) {
      this.flush()
      this.line(`let ${first} = true;`)
    }
    fields.forEach((field, index) => {
      this.#fields += 1
      if (field.conditions !== undefined) {
        this.flush()
        this.line(`if (${conditionCode(field.conditions)}) {`)
      }
      if (conditional) {
        this.flush()
        this.line(`if (${first}) ${first} = false; else {`)
        this.pending = ','
        this.flush()
        this.line('}')
      } else if (index > 0) this.pending += ','
      this.pending += `${JSON.stringify(field.key)}:`
      member(field)
      if (field.conditions !== undefined) {
        this.flush()
        this.line('}')
      }
    })
  }

  /**
   * The shape that certainly occurs here, whose code is written inline; undefined if another function has to handle
   * it.
   */
  protected inPlace(position: ResponsePosition): ObjectShape | undefined {
    const { only } = position
    return only === undefined || this.#fields > mostFields ? undefined : position.for(only)
  }

  protected line(code: string): void {
    this.#lines.push(code)
  }

  /** A name that is not used yet. */
  protected name(): string {
    this.#names += 1
    return `n${this.#names}`
  }

  /** The name by which the code calls this function. */
  protected nameOf(called: Called): string {
    const known = this.#called.indexOf(called)
    return `f${known === -1 ? this.#called.push(called) - 1 : known}`
  }

  /** Makes the function with this head. `known` has further values that it uses, by name. */
  protected make(head: string, tail: string, known: Readonly<Record<string, unknown>>): Called {
    this.flush()
    const names = [...Object.keys(known), ...this.#called.map((_, index) => `f${index}`)]
    const code = `'use strict';\n${head}\n${this.#lines.join('\n')}\n${tail}`
    this.noteBytes(code.length * estimatedBytes.codeCharacter, code.length)
    return new Function(...names, code)(...Object.values(known), ...this.#called) as Called
  }
}

function conditionCode(conditions: AnyOf): string {
  return (conditions ?? [])
    .map((all) =>
      all
        .map(({ variable, value }) => `(v[${JSON.stringify(variable)}] ${value ? '===' : '!=='} true)`)
        .join(' && '),
    )
    .map((each) => `(${each})`)
    .join(' || ')
}
