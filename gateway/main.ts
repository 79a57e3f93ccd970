#!/usr/bin/env node
/**
 * The edge of the process: the only module that reads the environment, listens to signals and exits. It runs one of
 * the commands in cli/.
 */
import { exitCodes } from './cli/command.ts'
import { runCommand } from './cli/commands.ts'
import { giveMemoryBackWhenIdle } from './cli/idle-memory.ts'
import { setServingFlags, setStartFlags } from './cli/v8-flags.ts'
import { isReaderGone, tellReaderGone } from './telemetry/standard-output.ts'

setStartFlags()

const stop = Promise.withResolvers<NodeJS.Signals>()
// SIGHUP stops the command too, unless the command handles it, because a terminal that closes must not cut running
// requests.
let hungUp: (() => void) | undefined
let isOver = false
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => {
    // Only something that was left open keeps the process. The exit code is still that of the command: a second signal
    // that comes while the process ends must not make a failure of it.
    if (isOver) process.exit()
    if (signal === 'SIGHUP' && hungUp !== undefined) hungUp()
    else stop.resolve(signal)
  })

// The reader of the output may have closed it (`| head`), and then there is nobody to tell. Any other fault, such as a
// full disk, makes a command fail that only prints. A server continues in both cases.
let isUnwritten = false
let isServer = false
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (isReaderGone(error)) {
      // The log is on standard output.
      if (stream === process.stdout) tellReaderGone()
      if (!isServer) process.exit(exitCodes.done)
      return
    }
    if (isUnwritten || stream === process.stderr) return
    isUnwritten = true
    process.stderr.write(`tessera: standard output cannot be written: ${error.message}\n`)
  })

try {
  const terminal = process.stdout.isTTY === true
  const code = await runCommand(process.argv.slice(2), {
    env: process.env,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    terminal,
    colour: terminal && process.stdout.hasColors() && !process.env.NO_COLOR,
    stopped() {
      isServer = true
      setServingFlags()
      giveMemoryBackWhenIdle()
      return stop.promise
    },
    onHangUp(listener) {
      if (!terminal) hungUp = listener
    },
  })
  isOver = true
  // An asynchronous write fails after it.
  process.exitCode = code
  process.once('beforeExit', () => {
    if (isUnwritten && !isServer && code === exitCodes.done) process.exitCode = exitCodes.failed
  })
} catch (error) {
  process.stderr.write(
    `tessera: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  // Open handles would keep a process alive that has nothing left to do.
  process.exit(exitCodes.failed)
}
