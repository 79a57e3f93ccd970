/**
 * The schema as documentation: its operations, its types by name, and the arguments, result, scopes and cost of
 * each field.
 */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { useMemo, useRef } from 'react'
import { operationFor, rootsOf } from '../../examples/operation-for.ts'
import { schemaHistory, schemaSearch, visit } from '../editor/navigation.ts'
import { draftOf, type OperationText } from '../editor/workspace.ts'
import { Button } from '../ui/button.tsx'
import { BackIcon } from '../ui/icons.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { WithCode } from '../ui/with-code.tsx'
import { defaultOf } from './defaults.ts'
import { describedAt, isWithFields, kindOf, nameOf, type SchemaCoordinate, searchSchema } from './search.ts'
import { isTerms } from './terms.ts'

interface DocsProps {
  readonly schema: GraphQLSchema
  /** Opens an operation with this root field. */
  readonly onTry: (draft: OperationText) => void
}

export function Docs({ schema, onTry }: DocsProps) {
  const visited = schemaHistory.use()
  const text = schemaSearch.use()
  const found = useMemo(() => searchSchema(schema, text), [schema, text])
  const place = visited.at(-1)
  const before = visited.at(-2)
  const type = place === undefined ? undefined : schema.getType(place.type)
  return (
    <div className="docs">
      <SearchField
        label="Search the schema"
        placeholder="Search types and fields"
        value={text}
        onText={schemaSearch.set}
      />
      {text.trim() !== '' ? (
        <Found schema={schema} places={found} />
      ) : (
        <>
          {place === undefined ? null : (
            <Button look="link" className="row" onClick={() => schemaHistory.set(visited.slice(0, -1))}>
              <BackIcon />
              {before === undefined ? 'Schema' : nameOf(before)}
            </Button>
          )}
          {type === undefined ? (
            <Roots schema={schema} />
          ) : place?.field === undefined ? (
            <TypePage schema={schema} type={type} />
          ) : (
            <FieldPage schema={schema} type={type} name={place.field} onTry={onTry} />
          )}
        </>
      )}
    </div>
  )
}

interface InSchema {
  readonly schema: GraphQLSchema
}

function Found({ schema, places }: InSchema & { readonly places: readonly SchemaCoordinate[] }) {
  return (
    <>
      <p className="visually-hidden" role="status">
        {places.length === 0 ? 'Nothing found' : `${places.length} found`}
      </p>
      {places.length === 0 ? <p className="quiet">Nothing found.</p> : null}
      <ul className="docs-list">
        {places.map((place) => {
          const { kind, description } = describedAt(schema, place)
          return (
            <li key={nameOf(place)} className="docs-row">
              <CoordinateLink place={place} look="docs-whole" />
              <span className="badge">{kind}</span>
              <Prose text={summaryOf(description)} />
            </li>
          )
        })}
      </ul>
    </>
  )
}

const isBuiltIn = (name: string): boolean => name.startsWith('__')

function Roots({ schema }: InSchema) {
  const list = useRef<HTMLDivElement>(null)
  const roots = rootsOf(schema).map(([, type]) => type)
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isBuiltIn(type.name) && !roots.some((root) => root === type))
    .sort((a, b) => a.name.localeCompare(b.name))
  const letters = [...Map.groupBy(types, ({ name }) => name.charAt(0).toUpperCase())]
  const jump = (id: string): void => {
    const target = [...(list.current?.querySelectorAll<HTMLElement>('[data-mark]') ?? [])].find(
      (each) => each.dataset.mark === id,
    )
    target?.scrollIntoView({ block: 'start' })
    target?.focus({ preventScroll: true })
  }
  return (
    <div ref={list}>
      <nav className="jumps" aria-label="Jump to">
        {roots.map(({ name }) => (
          <Button key={name} look="link" onClick={() => jump(name)}>
            {name}
          </Button>
        ))}
        {letters.map(([letter]) => (
          <Button
            key={letter}
            look="link"
            aria-label={`Types that begin with ${letter}`}
            onClick={() => jump(letter)}
          >
            {letter}
          </Button>
        ))}
      </nav>
      {roots.map((root) => (
        <section key={root.name}>
          <h2 data-mark={root.name} tabIndex={-1}>
            {root.name}
          </h2>
          <Fields type={root} />
        </section>
      ))}
      {letters.map(([letter, some]) => (
        <section key={letter}>
          <h3 data-mark={letter} tabIndex={-1}>
            Types: {letter}
          </h3>
          <ul className="docs-list">
            {some.map((type) => (
              <li key={type.name} className="docs-row">
                <CoordinateLink place={{ type: type.name }} look="docs-type docs-whole" />
                <span className="badge">{kindOf(type)}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function TypePage({ schema, type }: InSchema & { readonly type: GraphQLNamedType }) {
  const members = isUnionType(type)
    ? type.getTypes()
    : isInterfaceType(type)
      ? schema.getPossibleTypes(type)
      : []
  const interfaces = isObjectType(type) || isInterfaceType(type) ? type.getInterfaces() : []
  return (
    <>
      <h2>
        {type.name} <span className="badge">{kindOf(type)}</span>
      </h2>
      <Prose text={type.description} />
      <Names title="Implements" types={interfaces} />
      <Names title={isUnionType(type) ? 'One of' : 'Implemented by'} types={members} />
      {isEnumType(type) ? (
        <ul className="docs-list">
          {type.getValues().map(({ name, description, deprecationReason }) => (
            <li key={name}>
              <code>{name}</code>
              <Deprecated reason={deprecationReason} />
              <Prose text={description} />
            </li>
          ))}
        </ul>
      ) : null}
      <Fields type={type} />
    </>
  )
}

interface FieldPageProps extends InSchema, Pick<DocsProps, 'onTry'> {
  readonly type: GraphQLNamedType
  readonly name: string
}

function FieldPage({ schema, type, name, onTry }: FieldPageProps) {
  const field = isWithFields(type) ? type.getFields()[name] : undefined
  if (field === undefined) return <p className="quiet">This field is not in the schema.</p>
  const tried = operationFor(schema, type.name, name)
  const result = getNamedType(field.type)
  return (
    <>
      <h2>
        {type.name}.{name}
      </h2>
      <p>
        <TypeLink type={field.type} />
        <Default of={field} />
        <Deprecated reason={field.deprecationReason} />
      </p>
      <Prose text={field.description} />
      {tried === undefined ? null : <Button onClick={() => onTry(draftOf(tried))}>Try it</Button>}
      {'args' in field ? <Arguments args={field.args} /> : null}
      {isWithFields(result) ? <h3>Fields of {result.name}</h3> : null}
      <Fields type={result} />
    </>
  )
}

interface CoordinateLinkProps {
  readonly place: SchemaCoordinate
  readonly name?: string
  readonly look: string
}

/** A name that leads to its page. */
const CoordinateLink = ({ place, name = nameOf(place), look }: CoordinateLinkProps) => (
  <button type="button" className={`docs-name ${look}`} onClick={() => visit(place)}>
    {name}
  </button>
)

interface NamesProps {
  readonly title: string
  readonly types: readonly GraphQLNamedType[]
}

function Names({ title, types }: NamesProps) {
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

function Fields({ type }: { readonly type: GraphQLNamedType }) {
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
          <Default of={field} />
          <Deprecated reason={field.deprecationReason} />
          <Prose text={summaryOf(field.description)} />
        </li>
      ))}
    </ul>
  )
}

function Arguments({ args }: { readonly args: readonly GraphQLArgument[] }) {
  if (args.length === 0) return null
  return (
    <>
      <h3>Arguments</h3>
      <ul className="docs-list">
        {args.map((argument) => (
          <li key={argument.name}>
            <code className="docs-argument">{argument.name}</code> <TypeLink type={argument.type} />
            <Default of={argument} />
            <Deprecated reason={argument.deprecationReason} />
            <Prose text={argument.description} />
          </li>
        ))}
      </ul>
    </>
  )
}

function TypeLink({ type }: { readonly type: GraphQLType }) {
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

function Default({ of }: { readonly of: object }) {
  const text = defaultOf(of)
  return text === undefined ? null : <code className="quiet"> = {text}</code>
}

function Deprecated({ reason }: { readonly reason: string | null | undefined }) {
  return typeof reason === 'string' ? <p className="docs-deprecated">Deprecated: {reason}</p> : null
}

/** Its first sentence, and the last paragraph if that names scopes or a price. */
function summaryOf(text: string | null | undefined): string {
  const paragraphs = (text ?? '').split('\n\n')
  const [first = ''] = (paragraphs[0] ?? '').split(/(?<=[.;])\s/)
  const sentence = first.replace(/;$/, '.')
  const last = paragraphs.at(-1) ?? ''
  return paragraphs.length > 1 && isTerms(last) ? `${sentence}\n\n${last}` : sentence
}

function Prose({ text }: { readonly text: string | null | undefined }) {
  if (text === null || text === undefined || text === '') return null
  return text.split('\n\n').map((paragraph) => (
    <p key={paragraph} className={isTerms(paragraph) ? 'docs-needs' : 'docs-prose'}>
      <WithCode text={paragraph} />
    </p>
  ))
}
