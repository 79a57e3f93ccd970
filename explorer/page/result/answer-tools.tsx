/** The bar above a response: search in it, and copying and downloading it. */
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { findKeys } from '../keys.ts'
import { IconButton } from '../ui/button.tsx'
import { copyText, download } from '../ui/copy-and-download.ts'
import { say } from '../ui/feedback.tsx'
import { CopyIcon, DownloadIcon } from '../ui/icons.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { plural } from './format-numbers.ts'

interface AnswerToolsProps {
  readonly text: string
  readonly onText: (text: string) => void
  /** How many matches there are: places in the JSON, or rows. */
  readonly count: number
  readonly unit: 'match' | 'row'
  /** The current match, from 0. */
  readonly at: number
  readonly onStep: (by: 1 | -1) => void
  readonly content: () => { readonly name: string; readonly text: string; readonly type: string }
  /** Increases when the field should be focused. */
  readonly focus: number
}

export function AnswerTools(props: AnswerToolsProps) {
  const { text, count, unit, at, content, focus } = props
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focus > 0) input.current?.select()
  }, [focus])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      props.onStep(event.shiftKey ? -1 : 1)
    } else if (event.key === 'Escape' && text !== '') {
      event.preventDefault()
      props.onText('')
    }
  }
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(content().text)
    say(isCopied ? 'The answer was copied.' : 'The browser does not allow copying.', !isCopied)
  }
  const kind = content().name.endsWith('.csv') ? 'CSV' : 'JSON'
  return (
    <div className="answer-tools row">
      <SearchField
        ref={input}
        label="Find in the answer"
        title={`Find in the answer (${findKeys})`}
        value={text}
        onText={props.onText}
        onKeyDown={onKeyDown}
      />
      <span className="quiet find-count" role="status">
        {text.trim() === ''
          ? ''
          : count === 0
            ? 'not found'
            : unit === 'row'
              ? plural(count, 'row')
              : `${at + 1} of ${count}`}
      </span>
      <IconButton label={`Copy the answer as ${kind}`} title={`Copy as ${kind}`} onClick={() => void copy()}>
        <CopyIcon />
      </IconButton>
      <IconButton
        label={`Download the answer as ${kind}`}
        title={`Download as ${kind}`}
        onClick={() => {
          const { name, text: all, type } = content()
          download(name, all, type)
        }}
      >
        <DownloadIcon />
      </IconButton>
    </div>
  )
}
