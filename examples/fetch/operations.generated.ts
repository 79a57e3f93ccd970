/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type ChartPageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type ChartPageQuery = { chartVideos: { edges: Array<{ node: { videoId: string, snippet: { title: string | null, channelTitle: string | null } | null, statistics: { viewCount: string | null } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type OverviewQueryVariables = Exact<{
  videoId: string;
}>;


export type OverviewQuery = { video: { videoId: string, commentThreads: { nodes: Array<{ topLevelComment: { authorDisplayName: string | null, textOriginal: string | null } | null }> } | null, snippet: { title: string | null, channelTitle: string | null } | null, statistics: { viewCount: string | null } | null } | null, metrics: { query: { series: Array<{ sample: { value: string } | null }> } | null } | null };

export type CommentMutationVariables = Exact<{
  videoId: string;
  text: string;
}>;


export type CommentMutation = { insertCommentThread: { commentThread: { topLevelComment: { authorDisplayName: string | null, textOriginal: string | null } | null } } | null };

export type VideoLineFragment = { videoId: string, snippet: { title: string | null, channelTitle: string | null } | null, statistics: { viewCount: string | null } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const VideoLineFragmentDoc = new TypedDocumentString(`
    fragment VideoLine on Video {
  videoId
  snippet {
    title
    channelTitle
  }
  statistics {
    viewCount
  }
}
    `, {"fragmentName":"VideoLine"}) as unknown as TypedDocumentString<VideoLineFragment, unknown>;
export const ChartPageDocument = new TypedDocumentString(`
    query ChartPage($first: Int!, $after: String) {
  chartVideos(chart: MOST_POPULAR, first: $first, after: $after) {
    edges {
      node {
        ...VideoLine
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment VideoLine on Video {
  videoId
  snippet {
    title
    channelTitle
  }
  statistics {
    viewCount
  }
}`) as unknown as TypedDocumentString<ChartPageQuery, ChartPageQueryVariables>;
export const OverviewDocument = new TypedDocumentString(`
    query Overview($videoId: ID!) {
  video(videoId: $videoId) {
    ...VideoLine
    commentThreads(first: 3) {
      nodes {
        topLevelComment {
          authorDisplayName
          textOriginal
        }
      }
    }
  }
  metrics {
    query(query: "sum(up)") {
      series {
        sample {
          value
        }
      }
    }
  }
}
    fragment VideoLine on Video {
  videoId
  snippet {
    title
    channelTitle
  }
  statistics {
    viewCount
  }
}`) as unknown as TypedDocumentString<OverviewQuery, OverviewQueryVariables>;
export const CommentDocument = new TypedDocumentString(`
    mutation Comment($videoId: ID!, $text: String!) {
  insertCommentThread(input: {videoId: $videoId, textOriginal: $text}) {
    commentThread {
      topLevelComment {
        authorDisplayName
        textOriginal
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CommentMutation, CommentMutationVariables>;