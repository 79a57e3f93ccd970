"""Two pages of a connection and a refused field, with types that ariadne-codegen made of the schema."""

import sys

from graph import Graph, GraphQLClientGraphQLMultiError


def main(url: str) -> None:
    with Graph(url=url) as graph:
        after = None
        last = ""
        for page in (1, 2):
            videos = graph.chart_page(first=2, after=after).chart_videos
            for video in videos.nodes:
                print(f"page {page}: {video.video_id} {video.statistics.view_count}")
                last = video.video_id
            after = videos.page_info.end_cursor

        # The generated method raises as soon as one field has an error; what came beside it is in `data`.
        try:
            graph.guarded(video_id=last)
        except GraphQLClientGraphQLMultiError as refused:
            for error in refused.errors:
                path = ".".join(str(step) for step in error.path)
                print(f"refused: {path} {error.extensions['code']}")
            print(f"kept: {refused.data['video']['videoId']}")


if __name__ == "__main__":
    main(sys.argv[1])
