/** The schema as documentation: its operations, its types by name, what each field takes, gives, needs and costs. */
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
import { useId, useMemo, useState } from 'react'
import { operationFor } from '../../examples/operation-for.ts'
import type { Draft } from '../editor/workspace.ts'
import { BackIcon } from '../frame/icons.tsx'
import { WithCode } from '../frame/with-code.tsx'
import { isWithFields, type Place, searchSchema } from './search.ts'

export interface DocsProps {
  readonly schema: GraphQLSchema
  /** Where the reader has been, the present place last; empty at the start. */
  readonly trail: readonly Place[]
  readonly onTrail: (trail: readonly Place[]) => void
  /** Opens an operation that asks for a root field. */
  readonly onTry: (draft: Draft) => void
}

export function Docs({ schema, trail, onTrail, onTry }: DocsProps) {
  const [text, setText] = useState('')
  const found = useMemo(() => searchSchema(schema, text), [schema, text])
  const id = useId()
  const place = trail.at(-1)
  const before = trail.at(-2)
  const go = (next: Place): void => {
    setText('')
    onTrail([...trail, next])
  }
  const type = place === undefined ? undefined : schema.getType(place.type)
  return (
    <div className="docs">
      <label className="visually-hidden" htmlFor={id}>
        Search the schema
      </label>
      <input
        id={id}
        type="search"
        className="docs-search"
        placeholder="Search types and fields"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {text.trim() !== '' ? (
        <Found places={found} onGo={go} />
      ) : (
        <>
          {place === undefined ? null : (
            <button type="button" className="link docs-back" onClick={() => onTrail(trail.slice(0, -1))}>
              <BackIcon />
              {before === undefined ? 'Schema' : nameOf(before)}
            </button>
          )}
          {type === undefined ? (
            <Roots schema={schema} onGo={go} />
          ) : place?.field === undefined ? (
            <TypePage schema={schema} type={type} onGo={go} />
          ) : (
            <FieldPage schema={schema} type={type} name={place.field} onGo={go} onTry={onTry} />
          )}
        </>
      )}
    </div>
  )
}

const nameOf = ({ type, field }: Place): string => (field === undefined ? type : `${type}.${field}`)

interface Going {
  readonly onGo: (place: Place) => void
}

function Found({ places, onGo }: Going & { readonly places: readonly Place[] }) {
  return (
    <>
      <p className="visually-hidden" role="status">
        {places.length === 0 ? 'Nothing found' : `${places.length} found`}
      </p>
      {places.length === 0 ? <p className="quiet">Nothing has this name.</p> : null}
      <ul className="docs-list">
        {places.map((place) => (
          <li key={nameOf(place)}>
            <button type="button" className="docs-name" onClick={() => onGo(place)}>
              {nameOf(place)}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

const isBuiltIn = (name: string): boolean => name.startsWith('__')

function Roots({ schema, onGo }: Going & { readonly schema: GraphQLSchema }) {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
    (type) => type !== null && type !== undefined,
  )
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isBuiltIn(type.name) && !roots.some((root) => root === type))
    .sort((a, b) => a.name.localeCompare(b.name))
  return (
    <>
      {roots.map((root) => (
        <section key={root.name}>
          <h2>{root.name}</h2>
          <Fields type={root} onGo={onGo} />
        </section>
      ))}
      <details>
        <summary>All {types.length} types</summary>
        <ul className="docs-list">
          {types.map(({ name }) => (
            <li key={name}>
              <button type="button" className="docs-name docs-type" onClick={() => onGo({ type: name })}>
                {name}
              </button>
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}

function TypePage({
  schema,
  type,
  onGo,
}: Going & { readonly schema: GraphQLSchema; readonly type: GraphQLNamedType }) {
  const members = isUnionType(type)
    ? type.getTypes()
    : isInterfaceType(type)
      ? schema.getPossibleTypes(type)
      : []
  const interfaces = isObjectType(type) || isInterfaceType(type) ? type.getInterfaces() : []
  return (
    <>
      <h2>{type.name}</h2>
      <Prose text={type.description} />
      <Names title="Implements" types={interfaces} onGo={onGo} />
      <Names title={isUnionType(type) ? 'One of' : 'Implemented by'} types={members} onGo={onGo} />
      {isEnumType(type) ? (
        <ul className="docs-list">
          {type.getValues().map(({ name, description, deprecationReason }) => (
            <li key={name}>
              <code className="docs-value">{name}</code>
              <Deprecated reason={deprecationReason} />
              <Prose text={description} />
            </li>
          ))}
        </ul>
      ) : null}
      <Fields type={type} onGo={onGo} />
    </>
  )
}

function Names({
  title,
  types,
  onGo,
}: Going & { readonly title: string; readonly types: readonly GraphQLNamedType[] }) {
  if (types.length === 0) return null
  return (
    <p className="docs-names">
      {title}{' '}
      {types.map((type) => (
        <TypeLink key={type.name} type={type} onGo={onGo} />
      ))}
    </p>
  )
}

function Fields({ type, onGo }: Going & { readonly type: GraphQLNamedType }) {
  if (!isWithFields(type)) return null
  return (
    <ul className="docs-list">
      {Object.values<GraphQLField<unknown, unknown> | GraphQLInputField>(type.getFields()).map((field) => (
        <li key={field.name}>
          <button
            type="button"
            className="docs-name"
            onClick={() => onGo({ type: type.name, field: field.name })}
          >
            {field.name}
          </button>
          {'args' in field && field.args.length > 0 ? <span className="quiet">(…)</span> : null}{' '}
          <TypeLink type={field.type} onGo={onGo} />
          <Deprecated reason={field.deprecationReason} />
          <Prose text={summaryOf(field.description)} />
        </li>
      ))}
    </ul>
  )
}

function FieldPage({
  schema,
  type,
  name,
  onGo,
  onTry,
}: Going & Pick<DocsProps, 'schema' | 'onTry'> & { readonly type: GraphQLNamedType; readonly name: string }) {
  const field = isWithFields(type) ? type.getFields()[name] : undefined
  if (field === undefined) return <p className="quiet">This field is not in the schema.</p>
  const tried = operationFor(schema, type.name, name)
  return (
    <>
      <h2>
        {type.name}.{name}
      </h2>
      <p>
        <TypeLink type={field.type} onGo={onGo} />
        <Deprecated reason={field.deprecationReason} />
      </p>
      <Prose text={field.description} />
      {tried === undefined ? null : (
        <button
          type="button"
          className="tool"
          onClick={() =>
            onTry({ query: tried.document, variables: JSON.stringify(tried.variables, null, 2), headers: '' })
          }
        >
          Try it
        </button>
      )}
      {'args' in field ? <Arguments args={field.args} onGo={onGo} /> : null}
      <FieldsOf type={getNamedType(field.type)} onGo={onGo} />
    </>
  )
}

function FieldsOf({ type, onGo }: Going & { readonly type: GraphQLNamedType }) {
  if (!isWithFields(type)) return null
  return (
    <>
      <h3>Fields of {type.name}</h3>
      <Fields type={type} onGo={onGo} />
    </>
  )
}

function Arguments({ args, onGo }: Going & { readonly args: readonly GraphQLArgument[] }) {
  if (args.length === 0) return null
  return (
    <>
      <h3>Arguments</h3>
      <ul className="docs-list">
        {args.map(({ name, type, description, deprecationReason }) => (
          <li key={name}>
            <code className="docs-argument">{name}</code> <TypeLink type={type} onGo={onGo} />
            <Deprecated reason={deprecationReason} />
            <Prose text={description} />
          </li>
        ))}
      </ul>
    </>
  )
}

function TypeLink({ type, onGo }: Going & { readonly type: GraphQLType }) {
  const { name } = getNamedType(type)
  const [before = '', after = ''] = String(type).split(name)
  return (
    <code>
      {before}
      <button type="button" className="docs-name docs-type" onClick={() => onGo({ type: name })}>
        {name}
      </button>
      {after}
    </code>
  )
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

const isTerms = (paragraph: string): boolean => /^(Requires|Costs) /.test(paragraph)

/** Descriptions as paragraphs. */
function Prose({ text }: { readonly text: string | null | undefined }) {
  if (text === null || text === undefined || text === '') return null
  return text.split('\n\n').map((paragraph) => (
    <p key={paragraph} className={isTerms(paragraph) ? 'docs-needs' : 'docs-prose'}>
      <WithCode text={paragraph} />
    </p>
  ))
}
