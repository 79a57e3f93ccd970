/**
 * The fields of the schema as checkboxes. Ticking one changes the operation, and a change of the operation is shown
 * here.
 */
import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql'
import { useMemo, useState } from 'react'
import { fieldsOf } from '../../../shared/graphql/fields.ts'
import { rootsOf } from '../../examples/operation-for.ts'
import { changeDraft, emptyDraft, openDraft, useCurrentDraft } from '../editor/workspace.ts'
import { objectFrom } from '../json.ts'
import { termsOf } from '../schema/terms.ts'
import { Button } from '../ui/button.tsx'
import { say } from '../ui/feedback.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { addField, builtOperation, fieldAt, isEmptyText, removeField } from './edit-selection.ts'

/** Deeper than anybody needs. */
const deepest = 12

export function BuilderShelf({ schema }: { readonly schema: GraphQLSchema }) {
  const draft = useCurrentDraft()
  const operation = useMemo(() => builtOperation(draft.query), [draft.query])
  const [chosen, setChosen] = useState(OperationTypeNode.QUERY)
  const [filter, setFilter] = useState('')
  const root = operation?.operation ?? chosen
  const type = schema.getRootType(root)
  const isBroken = operation === undefined && !isEmptyText(draft.query)
  const toggle = (path: readonly string[], on: boolean): void => {
    if (!on) {
      changeDraft({ query: removeField(draft.query, path) })
      return
    }
    const ticked = addField(schema, draft.query, root, path)
    if (ticked === undefined) {
      say('The operation cannot be changed here: correct the marked faults first.', true)
      return
    }
    changeDraft({ query: ticked.query })
    const given = objectFrom(draft.variables)
    if (given !== undefined && Object.keys(ticked.variables).length > 0)
      changeDraft({ variables: JSON.stringify({ ...ticked.variables, ...given }, null, 2) })
  }
  return (
    <div className="builder">
      <div className="shelf-tools row">
        <select
          className="tool"
          aria-label="Kind of operation"
          value={root}
          disabled={operation !== undefined}
          onChange={(event) => setChosen(event.currentTarget.value as OperationTypeNode)}
        >
          {rootsOf(schema).map(([kind]) => (
            <option key={kind}>{kind}</option>
          ))}
        </select>
        <Button onClick={() => openDraft(emptyDraft)}>New</Button>
      </div>
      <SearchField
        label="Filter the fields"
        placeholder="Filter the fields of the operation"
        value={filter}
        onText={setFilter}
      />
      {isBroken ? (
        <p className="library-note fault" role="alert">
          The operation is not valid GraphQL. Correct it, or start a new one.
        </p>
      ) : type === null || type === undefined ? null : (
        <ul className="ticks" aria-label={`Fields of the ${root}`}>
          {Object.values(type.getFields())
            .filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()))
            .map((field) => (
              <Tick
                key={field.name}
                field={field}
                path={[field.name]}
                operation={operation}
                onToggle={toggle}
              />
            ))}
        </ul>
      )}
    </div>
  )
}

interface TickProps {
  readonly field: GraphQLField<unknown, unknown>
  readonly path: readonly string[]
  readonly operation: OperationDefinitionNode | undefined
  readonly onToggle: (path: readonly string[], on: boolean) => void
}

function Tick({ field, path, operation, onToggle }: TickProps) {
  const type = getNamedType(field.type)
  const isOn = fieldAt(operation, path) !== undefined
  const [opened, setOpened] = useState<boolean>()
  const isOpen = opened ?? isOn
  const fields = Object.values(fieldsOf(type))
  const canOpen = isCompositeType(type) && fields.length > 0 && path.length < deepest
  const { scopes, units } = termsOf(field.description)
  return (
    <li>
      <div className="tick">
        {canOpen ? (
          <button
            type="button"
            className={isOpen ? 'fold fold-open' : 'fold'}
            aria-expanded={isOpen}
            aria-label={`Fields of ${path.join('.')}`}
            onClick={() => setOpened(!isOpen)}
          />
        ) : (
          <span className="fold-none" />
        )}
        <label className="row fill" title={field.description?.split('\n\n')[0]}>
          <input
            type="checkbox"
            checked={isOn}
            onChange={(event) => {
              onToggle(path, event.currentTarget.checked)
              setOpened(undefined)
            }}
          />
          <code>{field.name}</code>
          {scopes.length === 0 ? null : <span className="badge badge-scope">{scopes.join(' ')}</span>}
          {units === undefined || units === 0 ? null : <span className="badge">{units}</span>}
          <span className="quiet tick-type cut">{String(field.type)}</span>
        </label>
      </div>
      {canOpen && isOpen ? (
        <ul className="ticks">
          {fields.map((each) => (
            <Tick
              key={each.name}
              field={each}
              path={[...path, each.name]}
              operation={operation}
              onToggle={onToggle}
            />
          ))}
        </ul>
      ) : null}
    </li>
  )
}
