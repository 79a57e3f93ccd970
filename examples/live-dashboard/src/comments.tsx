/** New comments on a video, and a form to write one: it appears when it has been seen at the service. */
import { useMutation, useQuery, useSubscription } from '@apollo/client/react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Card, wordsOf } from './card.tsx'
import {
  AddCommentDocument,
  NewCommentsDocument,
  type NewCommentsSubscription,
  VideosDocument,
} from './operations.generated.ts'

export function Comments(): ReactNode {
  const { data, error } = useQuery(VideosDocument)
  const [chosen, choose] = useState<string>()
  const videos = data?.chartVideos?.nodes ?? []
  const videoId = chosen ?? videos[0]?.videoId
  if (videoId === undefined)
    return (
      <Card title="New comments" className="comments" error={error}>
        <p className="quiet">Waiting for the videos…</p>
      </Card>
    )
  return (
    <Thread
      key={videoId}
      videoId={videoId}
      picker={
        <select aria-label="Video" value={videoId} onChange={({ target }) => choose(target.value)}>
          {videos.map((video) => (
            <option key={video.id} value={video.videoId}>
              {video.snippet?.title}
            </option>
          ))}
        </select>
      }
    />
  )
}

type Added = NonNullable<NewCommentsSubscription['commentThreadAdded']>
const mostShown = 50

function Thread({ videoId, picker }: { readonly videoId: string; readonly picker: ReactNode }): ReactNode {
  const [added, setAdded] = useState<readonly Added[]>([])
  const { error } = useSubscription(NewCommentsDocument, {
    variables: { videoId },
    onData({ data: { data } }) {
      const one = data?.commentThreadAdded
      if (one) setAdded((before) => [one, ...before].slice(0, mostShown))
    },
  })
  return (
    <Card title="New comments" className="comments" error={error} aside={picker}>
      <Write videoId={videoId} />
      {added.length === 0 ? <p className="quiet">Comments appear here as they are written.</p> : null}
      <ul aria-live="polite">
        {added.map(({ gap, commentThreadEdge: { node } }) => (
          <li key={node.id}>
            <b>{node.topLevelComment?.authorDisplayName}</b>
            <span>{node.topLevelComment?.textOriginal}</span>
            {gap ? <span className="quiet">Some before this one were not seen.</span> : null}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Write({ videoId }: { readonly videoId: string }): ReactNode {
  const [text, setText] = useState('')
  const [write, { error, loading }] = useMutation(AddCommentDocument, { onCompleted: () => setText('') })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // What fails is shown by `error`.
    write({ variables: { videoId, text } }).catch(() => {})
  }
  return (
    <form onSubmit={submit}>
      <input
        aria-label="Your comment"
        placeholder="Write a comment"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <button type="submit" disabled={loading || text === ''}>
        Write
      </button>
      {error === undefined ? null : (
        <p className="fault" role="alert">
          {wordsOf(error)}
        </p>
      )}
    </form>
  )
}
