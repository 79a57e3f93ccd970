/** The chart of videos, a page at a time; each line says what it needs of a video. */
import type { ReactNode } from 'react'
import { graphql, useFragment, useLazyLoadQuery, usePaginationFragment } from 'react-relay'
import type { chart_line$key } from './__generated__/chart_line.graphql.ts'
import type { chart_videos$key } from './__generated__/chart_videos.graphql.ts'
import type { chartMoreQuery } from './__generated__/chartMoreQuery.graphql.ts'
import type { chartQuery } from './__generated__/chartQuery.graphql.ts'

interface ChartProps {
  readonly attempt: number
  readonly onOpen: (id: string) => void
}

export function Chart({ attempt, onOpen }: ChartProps): ReactNode {
  const chart = useLazyLoadQuery<chartQuery>(
    graphql`
      query chartQuery {
        ...chart_videos
      }
    `,
    {},
    { fetchKey: attempt },
  )
  return <Pages chart={chart} onOpen={onOpen} />
}

interface PagesProps {
  readonly chart: chart_videos$key
  readonly onOpen: (id: string) => void
}

function Pages({ chart, onOpen }: PagesProps): ReactNode {
  const { data, hasNext, isLoadingNext, loadNext } = usePaginationFragment<chartMoreQuery, chart_videos$key>(
    graphql`
      fragment chart_videos on Query
      @refetchable(queryName: "chartMoreQuery")
      @argumentDefinitions(count: { type: "Int", defaultValue: 5 }, cursor: { type: "String" }) {
        chartVideos(chart: MOST_POPULAR, first: $count, after: $cursor)
          @connection(key: "chart_chartVideos") {
          totalCount
          edges {
            node {
              id
              ...chart_line
            }
          }
        }
      }
    `,
    chart,
  )
  // Null if the call failed; the rest of the answer stands.
  if (!data.chartVideos) return <p>The chart cannot be read at present.</p>
  const { edges, totalCount } = data.chartVideos
  return (
    <section aria-label="Chart">
      <p>
        {edges.length} of about {totalCount}
      </p>
      <ol>
        {edges.map(({ node }) => (
          <Line key={node.id} video={node} onOpen={() => onOpen(node.id)} />
        ))}
      </ol>
      {hasNext && (
        <button type="button" disabled={isLoadingNext} onClick={() => loadNext(5)}>
          More videos
        </button>
      )}
    </section>
  )
}

function Line({ video, onOpen }: { readonly video: chart_line$key; readonly onOpen: () => void }): ReactNode {
  const { snippet, statistics } = useFragment(
    graphql`
      fragment chart_line on Video {
        snippet {
          title
          channelTitle
        }
        statistics {
          viewCount
        }
      }
    `,
    video,
  )
  return (
    <li>
      <button type="button" onClick={onOpen}>
        {snippet?.title}
      </button>{' '}
      {snippet?.channelTitle}, {BigInt(statistics?.viewCount ?? 0).toLocaleString('en')} views
    </li>
  )
}
