/**
 * JSON that is printed already, in UTF-8, as a string with one character for each byte. Answers for benchmarks are kept
 * so, and not as buffers: V8 counts the bytes of long buffers in passing as memory in use, and would collect everything
 * again and again, which took as much CPU time as answering.
 */
export class Printed {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export function print(json: unknown): Printed {
  return new Printed(Buffer.from(JSON.stringify(json)).toString('latin1'))
}
