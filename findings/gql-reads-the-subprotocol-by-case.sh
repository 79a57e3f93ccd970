#!/usr/bin/env bash
# Software: gql 4.4.0 with websockets 17.4 (PyPI), Python 3.11.
#
# Names of HTTP headers have no case, and HAProxy writes those of its responses in lower case. The transport
# `WebsocketsTransport` of gql offers `graphql-ws` and `graphql-transport-ws`, and looks for the server's choice under
# `Sec-WebSocket-Protocol`, with these capitals, in a plain dictionary. Behind HAProxy it does not find it, takes the old
# protocol, and sends `start` instead of `subscribe`. The server then closes the connection with 4400. Without the proxy
# the same program works. `subprotocols=['graphql-transport-ws']` helps, because the old protocol is not offered then.
#
# Source: `_after_connect` in gql/transport/websockets_protocol.py, and `response_headers` in
# gql/transport/common/adapters/websockets.py, which makes a `dict` of headers that were read without regard to case.
#
# Seen on 2026-11-29: the type of the first message after `connection_init`, by the name of the header in the response.
#   Sec-WebSocket-Protocol   subscribe
#   sec-websocket-protocol   start
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet 'gql[websockets]==4.4.0' websockets==17.4
cat > try.py <<'PY'
import asyncio
import json

from gql import Client, gql
from gql.transport.websockets import WebsocketsTransport
from websockets.asyncio.server import serve

CHOICE = "graphql-transport-ws"


async def message_with(name: str) -> str:
    seen = asyncio.get_running_loop().create_future()

    async def answer(socket):
        await socket.recv()
        await socket.send(json.dumps({"type": "connection_ack"}))
        seen.set_result(json.loads(await socket.recv())["type"])

    def rename(_connection, _request, response):
        del response.headers["Sec-WebSocket-Protocol"]
        response.headers[name] = CHOICE

    async with serve(answer, "127.0.0.1", 0, subprotocols=[CHOICE], process_response=rename) as server:
        port = server.sockets[0].getsockname()[1]
        try:
            async with Client(transport=WebsocketsTransport(url=f"ws://127.0.0.1:{port}/")) as client:
                await client.execute(gql("{ __typename }"))
        except Exception:
            pass  # The connection is closed after the message.
        return await seen


for name in ("Sec-WebSocket-Protocol", "sec-websocket-protocol"):
    print(f"  {name}   {asyncio.run(asyncio.wait_for(message_with(name), 20))}")
PY
environment/bin/python try.py
