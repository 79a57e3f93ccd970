/**
 * Examples for the sandbox's sample data: each runs as it stands and answers with data. Tests run every one of
 * them against the graph.
 */
import type { Example } from './example.ts'

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/** `now`: milliseconds since 1970, for ranges of time that end now. */
export const sandboxExamples = (now: number): readonly Example[] => [
  {
    id: 'first-video',
    title: 'First video',
    note: 'One video and its numbers; no token needed',
    document: `# A video by its id. The service is asked only
# for the parts that are selected here.
query FirstVideo($videoId: ID!) {
  video(videoId: $videoId) {
    snippet {
      title
      channelTitle
      publishedAt
      tags
    }
    statistics {
      viewCount
      likeCount
    }
    channel {
      channelId
      title
    }
  }
}
`,
    variables: { videoId: 'u62wyH56M7e' },
  },
  {
    id: 'chart-pages',
    title: 'Paging through a chart',
    note: 'Relay connections over page tokens',
    document: `# The next page: put pageInfo.endCursor into
# the variable "after".
query ChartPages($first: Int!, $after: String) {
  chartVideos(chart: MOST_POPULAR, first: $first, after: $after) {
    totalCount
    edges {
      cursor
      node {
        videoId
        snippet {
          title
        }
        statistics {
          viewCount
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`,
    variables: { first: 5, after: null },
  },
  {
    id: 'threads',
    title: 'Threads, authors, videos',
    note: 'Nested lists, three calls at most',
    document: `# Every thread names its video again: all of
# them together are one look-up.
query Threads($videoId: ID!) {
  video(videoId: $videoId) {
    snippet {
      title
    }
    commentThreads(first: 5, order: TIME) {
      totalCount
      nodes {
        threadId
        totalReplyCount
        topLevelComment {
          authorDisplayName
          authorChannel {
            channelId
            title
          }
          textDisplay
          likeCount
        }
        video {
          videoId
          statistics {
            commentCount
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
`,
    variables: { videoId: 'u62wyH56M7e' },
  },
  {
    id: 'refused-field',
    title: 'A refused field',
    note: 'The rest of the answer comes all the same',
    document: `# Without the scope media.owner, fileDetails is
# null and an error names what is missing.
# Tick that scope above and run it again.
query RefusedField($videoId: ID!) {
  video(videoId: $videoId) {
    snippet {
      title
    }
    fileDetails {
      fileName
      fileSize
      container
      durationMs
    }
  }
}
`,
    variables: { videoId: 'u62wyH56M7e' },
    scopes: ['media.owner'],
  },
  {
    id: 'metrics-range',
    title: 'Metrics over time',
    note: 'Range queries, drawn as charts',
    document: `# The samples of range queries are drawn as charts.
query Rates($start: MetricsTime!, $end: MetricsTime!) {
  metrics {
    rate: queryRange(
      query: "sum by (method) (rate(http_requests_total[5m]))"
      start: $start
      end: $end
      step: "1m"
    ) {
      ...Series
    }
    memory: queryRange(query: "process_resident_memory_bytes", start: $start, end: $end, step: "5m") {
      ...Series
    }
  }
}

fragment Series on MetricsResult {
  resultType
  series {
    metric
    samples {
      time
      value
    }
  }
  warnings
}
`,
    variables: { start: seconds(now) - 6 * 3600, end: seconds(now) },
    scopes: ['metrics.read'],
  },
  {
    id: 'metrics-live',
    title: 'Metrics as they come',
    note: 'A subscription; its chart grows until you stop it',
    document: `# The window first, then what is new. Polled
# every 15 seconds, however many subscribe.
subscription MetricsLive($query: String!) {
  metricsRange(query: $query, window: "10m", step: "5s") {
    start
    end
    gap
    series {
      metric
      samples {
        time
        value
      }
    }
  }
}
`,
    variables: { query: 'sum by (method) (rate(http_requests_total[5m]))' },
    scopes: ['metrics.read'],
  },
  {
    id: 'pieces',
    title: 'An answer in pieces',
    note: '@defer and @stream: each part as soon as it is there',
    document: `# The titles come first, the comments of each
# video when they are there.
query InPieces($first: Int!) {
  chartVideos(chart: MOST_POPULAR, first: $first) {
    nodes @stream(initialCount: 1, label: "videos") {
      videoId
      snippet {
        title
      }
      ... @defer(label: "comments") {
        commentThreads(first: 2) {
          nodes {
            topLevelComment {
              textDisplay
            }
          }
        }
      }
    }
  }
  ... @defer(label: "quota") {
    mediaQuota {
      used
      limit
    }
  }
}
`,
    variables: { first: 2 },
  },
  {
    id: 'agent',
    title: 'An agent and its intents',
    note: 'What it is asked, what it answers',
    document: `query Agent($project: ID!) {
  agent(project: $project) {
    displayName
    description
    defaultLanguageCode
    timeZone
    intents(first: 10) {
      nodes {
        displayName
        isFallback
        action
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
`,
    variables: { project: 'demo' },
    scopes: ['agents.read'],
  },
  {
    id: 'messages',
    title: 'Messages',
    note: 'Five ids, one call; authors included',
    document: `query Messages($ids: [ID!]!) {
  messages(messageIds: $ids) {
    messageId
    text
    createdAt
    author {
      name
      username
    }
    publicMetrics {
      likeCount
      replyCount
    }
  }
}
`,
    variables: {
      ids: ['1780000000000000000', '1780008388608000000', '1780012582912000000', '1780029360128000000', '20'],
    },
    scopes: ['tweet.read', 'users.read'],
  },
  {
    id: 'write',
    title: 'Write a comment',
    note: 'A mutation; 50 units of the quota',
    document: `# It costs 50 units: try "Explain" first,
# which runs nothing.
mutation WriteComment($input: InsertCommentThreadInput!) {
  insertCommentThread(input: $input) {
    commentThread {
      threadId
      topLevelComment {
        textOriginal
        publishedAt
      }
    }
  }
}
`,
    variables: { input: { videoId: 'u62wyH56M7e', textOriginal: 'Hello from the explorer.' } },
    scopes: ['media.write'],
  },
]
