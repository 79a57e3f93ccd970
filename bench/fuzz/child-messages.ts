/**
 * What the process of a target receives and sends, and the file in which it writes the input that it is about to
 * read.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Found } from './explore.ts'

export interface Work {
  readonly name: string
  readonly module: string
  readonly covers: readonly string[]
  readonly seed: number
  readonly milliseconds: number
  readonly mostExecutions: number
  /** The file of the last input, which stays however the process ends. */
  readonly file: string
}

export interface Done {
  readonly executions: number
  readonly corpus: number
  readonly functions: number
}

export type Message = { readonly found: Found } | { readonly done: Done }

/** The number of executions and the length of the input come before the input. */
const headBytes = 8

export interface LastInput {
  write(input: Buffer): void
  close(): void
}

export function openLastInput(file: string): LastInput {
  const handle = openSync(file, 'w')
  let count = 0
  let bytes = Buffer.alloc(headBytes)
  return {
    write(input) {
      if (bytes.length < headBytes + input.length) bytes = Buffer.alloc(headBytes + 2 * input.length)
      count += 1
      bytes.writeUInt32LE(count, 0)
      bytes.writeUInt32LE(input.length, 4)
      input.copy(bytes, headBytes)
      writeSync(handle, bytes, 0, headBytes + input.length, 0)
    },
    close: () => closeSync(handle),
  }
}

/** `executions` is 0 if none has begun. */
export function readLastInput(file: string): { readonly executions: number; readonly input: Buffer } {
  const bytes = readFileSync(file)
  if (bytes.length < headBytes) return { executions: 0, input: Buffer.alloc(0) }
  const length = bytes.readUInt32LE(4)
  return { executions: bytes.readUInt32LE(0), input: bytes.subarray(headBytes, headBytes + length) }
}
