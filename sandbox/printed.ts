/**
 * Printed JSON in UTF-8, as a string with one character for each byte. Responses for benchmarks are kept in this
 * form instead of as buffers. V8 counts the bytes of long buffers as used memory while they are sent, and would
 * collect garbage all the time.
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
