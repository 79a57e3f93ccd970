/** The toolbar of the operation. */
import { IconButton } from '../frame/icon-button.tsx'
import { FormatIcon, RunIcon, SaveIcon, StopIcon } from '../frame/icons.tsx'
import { Menu, type MenuItem } from '../frame/menu.tsx'
import { runKeys, saveKeys } from '../keys.ts'

export interface OperationToolbarProps {
  readonly running: boolean
  /** The operations of the document, if there are several. */
  readonly names: readonly string[]
  readonly operationName: string | undefined
  readonly onPick: (name: string) => void
  readonly onRun: () => void
  readonly onStop: () => void
  readonly onFormat: () => void
  readonly onSave: () => void
  readonly shareItems: readonly MenuItem[]
}

export function OperationToolbar(props: OperationToolbarProps) {
  const { running, names, operationName } = props
  return (
    <div className="toolbar" role="toolbar" aria-label="Operation">
      {running ? (
        <button type="button" className="tool tool-primary run" onClick={props.onStop}>
          <StopIcon />
          Stop
        </button>
      ) : (
        <button
          type="button"
          className="tool tool-primary run"
          title={`Run (${runKeys})`}
          onClick={props.onRun}
        >
          <RunIcon />
          Run
        </button>
      )}
      {names.length > 1 ? (
        <select
          aria-label="Which operation to run"
          className="tool"
          value={operationName}
          onChange={(event) => props.onPick(event.currentTarget.value)}
        >
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      ) : null}
      <span className="spring" />
      <IconButton label="Save" title={`Save (${saveKeys})`} onClick={props.onSave}>
        <SaveIcon />
      </IconButton>
      <IconButton label="Format" onClick={props.onFormat}>
        <FormatIcon />
      </IconButton>
      <Menu label="Share or copy" title="Share" items={props.shareItems} />
    </div>
  )
}
