#!/usr/bin/env bash
# Software: @modelcontextprotocol/ext-tasks 0.2.2 (npm), the client of MCP's extension for tasks.
#
# A task that has completed carries the result of its tool call inside of the answer to `tasks/get`. The client
# demands `resultType` in that inner result too. Without it the client reports a failed task (`TaskFailedError`,
# although `task.status` beside it says "completed"), so a program that looks at the outcome takes the work for not
# done, and an agent that tries again does it twice. The extension says that `resultType` must stand on the answer to
# `tasks/get`, says nothing of the result inside, and its own example of a completed task has one without it. The same
# mistake in a tool that answers immediately is told otherwise: the call throws `ProtocolDecodeError`, which nobody
# takes for a failure of the tool.
#
# Source: `CompletedTaskV2Schema` (any object) and `CallToolResultV2Schema` (`resultType` required) in
# dist/core/v2/schemas.js; specification/draft/tasks.md of modelcontextprotocol/ext-tasks at e434597, sections of
# `tasks/get` and of `notifications/tasks`.
#
# Seen on 2026-11-28: what the client says of a completed task, by the result inside of it.
#   without resultType   outcome failed      task completed   error TaskFailedError: Protocol value failed schema validation
#   with resultType      outcome completed   task completed   error none
#   immediate, without   ProtocolDecodeError: Protocol value failed schema validation
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --silent --no-audit --no-fund @modelcontextprotocol/ext-tasks@0.2.2 @modelcontextprotocol/client@2.4.0 >/dev/null
cat > try.mjs <<'JS'
import { withTasks } from '@modelcontextprotocol/ext-tasks/client'

const at = new Date().toISOString()
const task = { taskId: 'report-1', createdAt: at, lastUpdatedAt: at, ttlMs: 60000, pollIntervalMs: 10 }
const begun = { resultType: 'task', status: 'working', ...task }
const tool = { name: 'report', inputSchema: { type: 'object' } }
const nothing = () => () => undefined

/** What the client says of a tool that answers so, and whose task ends with this result. */
async function said(answer, inner) {
  const session = withTasks({
    endpointId: 'reports',
    taskCapabilities: { generation: 'v2', capabilities: {} },
    invalidated: false,
    onServerRequest: nothing,
    onNotification: nothing,
    onInvalidated: nothing,
    dispatch: async ({ method }) => ({
      kind: 'result',
      result:
        { 'tools/call': answer, 'tools/list': { resultType: 'complete', tools: [tool], ttlMs: 0, cacheScope: 'private' } }[
          method
        ] ?? { resultType: 'complete', status: 'completed', ...task, result: inner },
    }),
  })
  try {
    const { outcome } = await (await session.callTool('report', {})).settle()
    const error = outcome.error ?? 'none'
    return `outcome ${outcome.status.padEnd(11)} task ${outcome.task.status}   error ${error}`
  } catch (error) {
    return String(error)
  } finally {
    await session.close()
  }
}

const result = { content: [{ type: 'text', text: '12 pages' }], isError: false }
console.log(`without resultType   ${await said(begun, result)}`)
console.log(`with resultType      ${await said(begun, { resultType: 'complete', ...result })}`)
console.log(`immediate, without   ${await said(result)}`)
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
without resultType   outcome failed      task completed   error TaskFailedError: Protocol value failed schema validation
with resultType      outcome completed   task completed   error none
immediate, without   ProtocolDecodeError: Protocol value failed schema validation
EXPECTED
