/** The parts of a page of the schema's documentation. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLType,
  getNamedType,
} from 'graphql'
import { visit } from '../editor/navigation.ts'
import { WithCode } from '../ui/with-code.tsx'
import { isWithFields, nameOf, type SchemaCoordinate } from './search.ts'
import { isTerms } from './terms.ts'

interface CoordinateLinkProps {
  readonly place: SchemaCoordinate
  readonly name?: string
  readonly look: string
}

/** A name that leads to its page. */
export const CoordinateLink = ({ place, name = nameOf(place), look }: CoordinateLinkProps) => (
  <button type="button" className={`docs-name ${look}`} onClick={() => visit(place)}>
    {name}
  </button>
)

interface NamesProps {
  readonly title: string
  readonly types: readonly GraphQLNamedType[]
}

export function Names({ title, types }: NamesProps) {
  if (types.length === 0) return null
  return (
    <p>
      {title}{' '}
      {types.map((type) => (
        <TypeLink key={type.name} type={type} />
      ))}
    </p>
  )
}

export function Fields({ type }: { readonly type: GraphQLNamedType }) {
  if (!isWithFields(type)) return null
  return (
    <ul className="docs-list">
      {Object.values<GraphQLField<unknown, unknown> | GraphQLInputField>(type.getFields()).map((field) => (
        <li key={field.name} className="docs-row">
          <CoordinateLink
            place={{ type: type.name, field: field.name }}
            name={field.name}
            look="docs-whole"
          />
          {'args' in field && field.args.length > 0 ? <span className="quiet">(…)</span> : null}{' '}
          <TypeLink type={field.type} />
          <Deprecated reason={field.deprecationReason} />
          <Prose text={summaryOf(field.description)} />
        </li>
      ))}
    </ul>
  )
}

export function Arguments({ args }: { readonly args: readonly GraphQLArgument[] }) {
  if (args.length === 0) return null
  return (
    <>
      <h3>Arguments</h3>
      <ul className="docs-list">
        {args.map(({ name, type, description, deprecationReason }) => (
          <li key={name}>
            <code className="docs-argument">{name}</code> <TypeLink type={type} />
            <Deprecated reason={deprecationReason} />
            <Prose text={description} />
          </li>
        ))}
      </ul>
    </>
  )
}

export function TypeLink({ type }: { readonly type: GraphQLType }) {
  const { name } = getNamedType(type)
  const [before = '', after = ''] = String(type).split(name)
  return (
    <code>
      {before}
      <CoordinateLink place={{ type: name }} look="docs-type" />
      {after}
    </code>
  )
}

export function Deprecated({ reason }: { readonly reason: string | null | undefined }) {
  return typeof reason === 'string' ? <p className="docs-deprecated">Deprecated: {reason}</p> : null
}

/** Its first sentence, and the last paragraph if that names scopes or a price. */
export function summaryOf(text: string | null | undefined): string {
  const paragraphs = (text ?? '').split('\n\n')
  const [first = ''] = (paragraphs[0] ?? '').split(/(?<=[.;])\s/)
  const sentence = first.replace(/;$/, '.')
  const last = paragraphs.at(-1) ?? ''
  return paragraphs.length > 1 && isTerms(last) ? `${sentence}\n\n${last}` : sentence
}

/** Descriptions as paragraphs. */
export function Prose({ text }: { readonly text: string | null | undefined }) {
  if (text === null || text === undefined || text === '') return null
  return text.split('\n\n').map((paragraph) => (
    <p key={paragraph} className={isTerms(paragraph) ? 'docs-needs' : 'docs-prose'}>
      <WithCode text={paragraph} />
    </p>
  ))
}
