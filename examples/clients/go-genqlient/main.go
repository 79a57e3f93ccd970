// Two pages of a connection and a refused field, with types that genqlient made of the schema.
//
//go:generate go tool genqlient
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/Khan/genqlient/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, url string) error {
	client := graphql.NewClient(url, http.DefaultClient)

	var after *string
	var last string
	for page := 1; page <= 2; page++ {
		answer, err := ChartPage(ctx, client, 2, after)
		if err != nil {
			return err
		}
		videos := answer.ChartVideos
		for _, video := range videos.Nodes {
			fmt.Printf("page %d: %s %s\n", page, video.VideoId, *video.Statistics.ViewCount)
			last = video.VideoId
		}
		after = videos.PageInfo.EndCursor
	}

	// An error of one field comes beside the data of the others: genqlient gives both.
	answer, err := Guarded(ctx, client, last)
	var fields gqlerror.List
	if !errors.As(err, &fields) {
		return fmt.Errorf("nothing was refused: %w", err)
	}
	for _, field := range fields {
		fmt.Printf("refused: %s %v\n", field.Path, field.Extensions["code"])
	}
	fmt.Printf("kept: %s\n", answer.Video.VideoId)
	return nil
}
