/** One video by its global id: its counters, which can be fetched again, and its comment threads. */
import { type FormEvent, type ReactNode, useState, useTransition } from 'react'
import {
  graphql,
  useFragment,
  useLazyLoadQuery,
  useMutation,
  usePaginationFragment,
  useRefetchableFragment,
} from 'react-relay'
import { inWords } from '../../words.ts'
import type { video_counters$key } from './__generated__/video_counters.graphql.ts'
import type { video_thread$key } from './__generated__/video_thread.graphql.ts'
import type { video_threads$key } from './__generated__/video_threads.graphql.ts'
import type { videoCountersQuery } from './__generated__/videoCountersQuery.graphql.ts'
import type { videoQuery } from './__generated__/videoQuery.graphql.ts'
import type { videoThreadsQuery } from './__generated__/videoThreadsQuery.graphql.ts'
import type { videoWriteMutation } from './__generated__/videoWriteMutation.graphql.ts'
import { Alerts, wordsOf } from './faults.tsx'

export function Video({ id, attempt }: { readonly id: string; readonly attempt: number }): ReactNode {
  const { node } = useLazyLoadQuery<videoQuery>(
    graphql`
      query videoQuery($id: ID!) {
        node(id: $id) {
          __typename
          ... on Video {
            videoId
            ...video_counters @alias(as: "counters")
            ...video_threads @alias(as: "threads")
          }
        }
      }
    `,
    { id },
    { fetchKey: attempt },
  )
  if (node?.__typename !== 'Video') return <Alerts words={['There is no such video.']} />
  return (
    <section aria-label="Video">
      {node.counters && <Counters video={node.counters} />}
      {node.threads && <Threads video={node.threads} videoId={node.videoId} />}
    </section>
  )
}

function Counters({ video }: { readonly video: video_counters$key }): ReactNode {
  const [pending, start] = useTransition()
  const [{ statistics }, refetch] = useRefetchableFragment<videoCountersQuery, video_counters$key>(
    graphql`
      fragment video_counters on Video @refetchable(queryName: "videoCountersQuery") {
        statistics {
          likeCount
          commentCount
        }
      }
    `,
    video,
  )
  return (
    <p>
      {statistics?.likeCount ?? 'no'} likes, {statistics?.commentCount ?? 'no'} comments{' '}
      <button
        type="button"
        disabled={pending}
        onClick={() => start(() => void refetch({}, { fetchPolicy: 'network-only' }))}
      >
        Ask again
      </button>
    </p>
  )
}

interface ThreadsProps {
  readonly video: video_threads$key
  readonly videoId: string
}

function Threads({ video, videoId }: ThreadsProps): ReactNode {
  const { data, hasNext, isLoadingNext, loadNext } = usePaginationFragment<
    videoThreadsQuery,
    video_threads$key
  >(
    graphql`
      fragment video_threads on Video
      @refetchable(queryName: "videoThreadsQuery")
      @argumentDefinitions(count: { type: "Int", defaultValue: 5 }, cursor: { type: "String" }) {
        commentThreads(first: $count, after: $cursor) @connection(key: "video_commentThreads") {
          __id
          edges {
            node {
              id
              ...video_thread
            }
          }
        }
      }
    `,
    video,
  )
  const threads = data.commentThreads
  // What the service did not give is named by the errors beside the data.
  if (!threads) return null
  return (
    <>
      <Write videoId={videoId} list={threads.__id} />
      <ul>
        {threads.edges.map(({ node }) => (
          <Thread key={node.id} thread={node} />
        ))}
      </ul>
      {hasNext && (
        <button type="button" disabled={isLoadingNext} onClick={() => loadNext(5)}>
          More comments
        </button>
      )}
    </>
  )
}

function Thread({ thread }: { readonly thread: video_thread$key }): ReactNode {
  const { topLevelComment, totalReplyCount } = useFragment(
    graphql`
      fragment video_thread on CommentThread {
        totalReplyCount
        topLevelComment {
          authorDisplayName
          textOriginal
        }
      }
    `,
    thread,
  )
  return (
    <li>
      <b>{topLevelComment?.authorDisplayName}</b> {topLevelComment?.textOriginal}
      {totalReplyCount ? ` (${totalReplyCount} replies)` : ''}
    </li>
  )
}

function Write({ videoId, list }: { readonly videoId: string; readonly list: string }): ReactNode {
  const [text, setText] = useState('')
  const [words, setWords] = useState<readonly string[]>([])
  const [write, pending] = useMutation<videoWriteMutation>(graphql`
    mutation videoWriteMutation($input: InsertCommentThreadInput!, $lists: [ID!]!) {
      insertCommentThread(input: $input) {
        commentThreadEdge @prependEdge(connections: $lists) {
          node {
            id
            ...video_thread
          }
        }
      }
    }
  `)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    write({
      variables: { input: { videoId, textOriginal: text }, lists: [list] },
      onCompleted(_, errors) {
        setWords((errors ?? []).map(inWords))
        if (!errors?.length) setText('')
      },
      onError: (error) => setWords(wordsOf(error)),
    })
  }
  return (
    <form onSubmit={submit}>
      <input aria-label="Your comment" value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit" disabled={pending || text === ''}>
        Write
      </button>
      <Alerts words={words} />
    </form>
  )
}
