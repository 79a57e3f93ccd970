/**
 * Synthetic speech: a small WAV file with a tone for each letter, and the text in an INFO chunk. If it is sent back
 * as audio input, it is recognized. Any other recording counts as silence.
 */
const letterSeconds = 0.04
const maxLetters = 40

export type WaveEncoding = 'LINEAR_16' | 'MULAW' | 'ALAW'
const formats: Record<WaveEncoding, { tag: number; bytes: number }> = {
  LINEAR_16: { tag: 1, bytes: 2 },
  ALAW: { tag: 6, bytes: 1 },
  MULAW: { tag: 7, bytes: 1 },
}

export function synthesizeSpeech(
  text: string,
  sampleRate: number,
  encoding: WaveEncoding = 'LINEAR_16',
): Buffer {
  const { tag, bytes } = formats[encoding]
  const letters = [...text].slice(0, maxLetters)
  const perLetter = Math.round(sampleRate * letterSeconds)
  const samples = Buffer.alloc(letters.length * perLetter * bytes)
  for (const [index, letter] of letters.entries()) {
    const pitch = 220 * 2 ** (((letter.codePointAt(0) ?? 0) % 24) / 12)
    for (let at = 0; at < perLetter; at++) {
      // A sine envelope avoids clicks between tones.
      const loudness = Math.sin((Math.PI * at) / perLetter)
      const value = Math.round(8000 * loudness * Math.sin((2 * Math.PI * pitch * at) / sampleRate))
      const position = index * perLetter + at
      if (encoding === 'LINEAR_16') samples.writeInt16LE(value, position * 2)
      else samples[position] = encoding === 'MULAW' ? muLaw(value) : aLaw(value)
    }
  }
  const format = Buffer.alloc(16)
  format.writeUInt16LE(tag, 0)
  format.writeUInt16LE(1, 2)
  format.writeUInt32LE(sampleRate, 4)
  format.writeUInt32LE(sampleRate * bytes, 8)
  format.writeUInt16LE(bytes, 12)
  format.writeUInt16LE(bytes * 8, 14)
  const comment = Buffer.concat([Buffer.from('INFO'), chunk('ICMT', Buffer.from(`${text}\0`))])
  return chunk(
    'RIFF',
    Buffer.concat([
      Buffer.from('WAVE'),
      chunk('fmt ', format),
      chunk('LIST', comment),
      chunk('data', samples),
    ]),
  )
}

function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 0, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

/** The text of a recording that `speak` made; undefined for any other. */
export function recognizeSpeech(audio: Buffer): string | undefined {
  if (audio.toString('latin1', 0, 4) !== 'RIFF' || audio.toString('latin1', 8, 12) !== 'WAVE')
    return undefined
  for (let at = 12; at + 8 <= audio.length; ) {
    const name = audio.toString('latin1', at, at + 4)
    const length = audio.readUInt32LE(at + 4)
    if (name === 'LIST' && audio.toString('latin1', at + 8, at + 16) === 'INFOICMT') {
      const text = audio.toString('utf8', at + 20, at + 20 + audio.readUInt32LE(at + 16))
      return text.split('\0', 1)[0]
    }
    at += 8 + length + (length % 2)
  }
  return undefined
}

/** ITU-T G.711. */
function muLaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0
  const magnitude = Math.min(Math.abs(sample), 32_635) + 132
  const exponent = Math.floor(Math.log2(magnitude)) - 7
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f
  return ~(sign | (exponent << 4) | mantissa) & 0xff
}

/** ITU-T G.711. */
function aLaw(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80
  const magnitude = Math.min(sample < 0 ? -sample - 1 : sample, 32_767)
  const exponent = magnitude < 256 ? 0 : Math.floor(Math.log2(magnitude)) - 7
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f
  return (sign | (exponent << 4) | mantissa) ^ 0x55
}
