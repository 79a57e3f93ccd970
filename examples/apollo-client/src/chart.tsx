/** The chart of videos, a page at a time. */
import { useQuery } from '@apollo/client/react'
import { type ReactNode, useState } from 'react'
import { Faults } from './faults.tsx'
import { ChartDocument } from './operations.generated.ts'

export function Chart({ onOpen }: { readonly onOpen: (videoId: string) => void }): ReactNode {
  const { data, error, loading, fetchMore } = useQuery(ChartDocument, { errorPolicy: 'all' })
  const [pageError, setPageError] = useState<Error>()
  const chart = data?.chartVideos
  // A further page does not take the policy of its query, and without one it rejects, even if only a field has failed.
  const readMore = async (after: string | null): Promise<void> => {
    const page = await fetchMore({ variables: { after }, errorPolicy: 'all' })
    setPageError(page.error)
  }
  return (
    <section aria-label="Chart">
      <Faults error={error ?? pageError} />
      {chart && (
        <p>
          {chart.edges.length} of about {chart.totalCount}
        </p>
      )}
      <ol>
        {chart?.edges.map(({ node: { id, videoId, snippet, statistics } }) => (
          <li key={id}>
            <button type="button" onClick={() => onOpen(videoId)}>
              {snippet?.title}
            </button>{' '}
            {snippet?.channelTitle}, {BigInt(statistics?.viewCount ?? 0).toLocaleString('en')} views
          </li>
        ))}
      </ol>
      {chart?.pageInfo.hasNextPage === true && (
        <button type="button" disabled={loading} onClick={() => void readMore(chart.pageInfo.endCursor)}>
          More videos
        </button>
      )}
    </section>
  )
}
