#!/usr/bin/env bash
# Software: github.com/Khan/genqlient v0.8.1 (Go), with github.com/gorilla/websocket v1.5.3.
#
# The WebSocket client of genqlient cannot read the message with which a server refuses one subscription. The protocol
# (`graphql-transport-ws`) gives `error` a list of GraphQL errors as its payload. genqlient reads every payload as a
# response with `data` and `errors`, fails at the list, and stops reading: its error channel has "json: cannot unmarshal
# array into Go value of type graphql.Response", and the words of the server are lost. The other subscriptions of the same
# client hear nothing more, although their server sends on. A subscription whose first event carries the errors (`next`)
# is read as it should be. A `ping` of the protocol, which either side may send at any time, has no id and ends the client
# in the same way; pings of WebSocket itself are answered.
#
# Source: `forwardWebSocketData` in graphql/websocket.go, and the generated `…ForwardData`.
#
# Seen on 2026-11-30, the second of two subscriptions is refused, or a ping comes instead:
#   refused by next   first: 1, second: no such metric, first: 2
#   refused by error  first: 1, client: json: cannot unmarshal array into Go value of type graphql.Response
#   sent a ping       first: 1, client: received message for unknown subscription ID ''
set -euo pipefail
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder"
cat > go.mod <<'MOD'
module example.com/refused

go 1.24

tool github.com/Khan/genqlient

require (
	github.com/Khan/genqlient v0.8.1
	github.com/gorilla/websocket v1.5.3
)
MOD
cat > schema.graphql <<'SDL'
type Query { a: Int }
type Subscription { count(of: String!): Int }
SDL
echo 'subscription Count($of: String!) { count(of: $of) }' > operations.graphql
cat > genqlient.yaml <<'YAML'
schema: schema.graphql
operations: [operations.graphql]
generated: generated.go
package: main
YAML
cat > main.go <<'GO'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/Khan/genqlient/graphql"
	"github.com/gorilla/websocket"
)

type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// The first subscription gets one event, and a second one when the second subscription has been refused.
func serve(refusal string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		upgrader := websocket.Upgrader{Subprotocols: []string{"graphql-transport-ws"}}
		conn, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer conn.Close()
		var first string
		send := func(id, kind, payload string) { conn.WriteJSON(message{id, kind, json.RawMessage(payload)}) }
		for {
			var got message
			if conn.ReadJSON(&got) != nil {
				return
			}
			switch {
			case got.Type == "connection_init":
				send("", "connection_ack", "{}")
			case got.Type == "subscribe" && first == "":
				first = got.ID
				send(first, "next", `{"data":{"count":1}}`)
			case got.Type == "subscribe":
				errors := `[{"message":"no such metric"}]`
				switch refusal {
				case "refused by next":
					send(got.ID, "next", `{"data":{"count":null},"errors":`+errors+`}`)
					send(got.ID, "complete", "")
				case "refused by error":
					send(got.ID, "error", errors)
				case "sent a ping":
					send("", "ping", "")
				}
				send(first, "next", `{"data":{"count":2}}`)
			}
		}
	}
}

type dialer struct{}

func (dialer) DialContext(ctx context.Context, url string, header http.Header) (graphql.WSConn, error) {
	conn, _, err := websocket.DefaultDialer.DialContext(ctx, url, header)
	return conn, err
}

func told(name string, response CountWsResponse) string {
	if len(response.Errors) > 0 {
		return name + ": " + response.Errors[0].Message
	}
	return fmt.Sprintf("%s: %d", name, response.Data.Count)
}

func try(refusal string) string {
	server := httptest.NewServer(serve(refusal))
	ctx := context.Background()
	client := graphql.NewClientUsingWebSocket(strings.Replace(server.URL, "http", "ws", 1), dialer{})
	failed, err := client.Start(ctx)
	if err != nil {
		return err.Error()
	}
	first, _, _ := Count(ctx, client, "first")
	seen := []string{told("first", <-first)}
	second, _, _ := Count(ctx, client, "second")
	for range 2 {
		select {
		case response, open := <-second:
			if open {
				seen = append(seen, told("second", response))
			}
			second = nil
		case response := <-first:
			seen = append(seen, told("first", response))
		case err := <-failed:
			return strings.Join(append(seen, "client: "+err.Error()), ", ")
		}
	}
	return strings.Join(seen, ", ")
}

func main() {
	for _, refusal := range []string{"refused by next", "refused by error", "sent a ping"} {
		fmt.Printf("%-17s %s\n", refusal, try(refusal))
	}
}
GO
# The tools that genqlient names do not compile with newer versions of Go.
go get github.com/Khan/genqlient@v0.8.1 golang.org/x/tools@v0.38.0 2>/dev/null
go tool genqlient genqlient.yaml 2>/dev/null
go mod tidy 2>/dev/null
go run . | tee seen.txt
diff seen.txt - <<'EXPECTED'
refused by next   first: 1, second: no such metric, first: 2
refused by error  first: 1, client: json: cannot unmarshal array into Go value of type graphql.Response
sent a ping       first: 1, client: received message for unknown subscription ID ''
EXPECTED
