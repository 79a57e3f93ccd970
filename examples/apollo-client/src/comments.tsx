/** The comment threads of one video, newest first, and a form that writes one. */
import { useMutation, useQuery } from '@apollo/client/react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Faults } from './faults.tsx'
import { CommentsDocument, WriteCommentDocument } from './operations.generated.ts'

export function Comments({ videoId }: { readonly videoId: string }): ReactNode {
  const { data, error, loading, fetchMore } = useQuery(CommentsDocument, {
    variables: { videoId },
    errorPolicy: 'all',
  })
  const [pageError, setPageError] = useState<Error>()
  const threads = data?.video?.commentThreads
  const readMore = async (after: string | null): Promise<void> => {
    const page = await fetchMore({ variables: { after }, errorPolicy: 'all' })
    setPageError(page.error)
  }
  // What a new comment pushed over the border of a page is read twice, and shown once.
  const shown = new Map(threads?.edges.map(({ node }) => [node.id, node]))
  return (
    <section aria-label="Comments">
      <Faults error={error ?? pageError} />
      <Write videoId={videoId} />
      <ul>
        {[...shown.values()].map(({ id, topLevelComment, totalReplyCount }) => (
          <li key={id}>
            <b>{topLevelComment?.authorDisplayName}</b> {topLevelComment?.textOriginal}
            {totalReplyCount !== null && totalReplyCount > 0 && ` (${totalReplyCount} replies)`}
          </li>
        ))}
      </ul>
      {threads?.pageInfo.hasNextPage === true && (
        <button type="button" disabled={loading} onClick={() => void readMore(threads.pageInfo.endCursor)}>
          More comments
        </button>
      )}
    </section>
  )
}

function Write({ videoId }: { readonly videoId: string }): ReactNode {
  const [text, setText] = useState('')
  const [write, { error, loading }] = useMutation(WriteCommentDocument, {
    // The payload brings the thread's edge, so that the list in the cache grows at its head without a call.
    update(cache, { data }) {
      const edge = data?.insertCommentThread?.commentThreadEdge
      if (edge === undefined) return
      cache.updateQuery({ query: CommentsDocument, variables: { videoId } }, (list) => {
        const threads = list?.video?.commentThreads
        if (!list?.video || !threads) return undefined
        const edges = [edge, ...threads.edges]
        return { ...list, video: { ...list.video, commentThreads: { ...threads, edges } } }
      })
    },
    onCompleted: () => setText(''),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // What fails is shown by `error`.
    write({ variables: { videoId, text } }).catch(() => {})
  }
  return (
    <form onSubmit={submit}>
      <input aria-label="Your comment" value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit" disabled={loading || text === ''}>
        Write
      </button>
      <Faults error={error} />
    </form>
  )
}
