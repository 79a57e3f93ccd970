/// <reference lib="dom" />
/** Sends a file without a page: what is sent, and when. */
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sendFile } from '../../../../explorer/page/upload/send-file.ts'

test('an upload that is stopped while it waits for its next try sends nothing more', async () => {
  let sent = 0
  class LostRequest {
    readonly upload = {}
    onerror: (() => void) | undefined
    onloadend: (() => void) | undefined
    open(): void {}
    setRequestHeader(): void {}
    send(): void {
      sent += 1
      this.onerror?.()
      this.onloadend?.()
    }
  }
  vi.stubGlobal('XMLHttpRequest', LostRequest)
  onTestFinished(() => void vi.unstubAllGlobals())
  const stop = new AbortController()
  const outcome = sendFile(
    { url: '/upload/a', file: new Blob(['film']), signal: stop.signal, onProgress: () => {} },
    0,
  )
  await turn()
  stop.abort()
  expect(await outcome).toEqual({ kind: 'stopped' })
  expect(sent).toBe(1)
})
