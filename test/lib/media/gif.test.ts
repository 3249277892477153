import { describe, expect, it } from 'vitest'
import { cleanGif, countGifFrames } from '../../../src/lib/media/gif'
import { bytesOf, mediaFile } from '../../support/media'

const joined = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]))
const textOf = (bytes: Uint8Array | null) => String.fromCharCode(...(bytes ?? []))

/** The bytes of animated.gif with `extra` right after the colour table, where extensions begin. */
function withExtension(extra: string): Uint8Array {
  const gif = mediaFile('animated.gif')
  const flags = gif[10] ?? 0
  const at = 13 + ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
  return joined(gif.subarray(0, at), bytesOf(extra), gif.subarray(at))
}

const plain = cleanGif(mediaFile('animated.gif'))

describe('cleanGif', () => {
  it('keeps every frame and the loop of an honest file', () => {
    expect(countGifFrames(plain ?? new Uint8Array(0), 99)).toBe(countGifFrames(mediaFile('animated.gif'), 99))
    expect(textOf(plain)).toContain('NETSCAPE2.0')
    expect(plain?.at(-1)).toBe(0x3b)
  })

  const hidden = {
    'a comment': '!\xfe\x08taken at\x00',
    'XMP with a place': '!\xff\x0bXMP DataXMP\x05place\x00',
    'text to be drawn over it': '!\x01\x0cABCDEFGHIJKL\x02hi\x00',
    'a loop that carries more than a count': '!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x04more\x00',
  }
  for (const [what, extension] of Object.entries(hidden))
    it(`cleanGif drops ${what}`, () => expect(cleanGif(withExtension(extension))).toEqual(plain))

  it('drops bytes after the end', () => {
    expect(cleanGif(joined(mediaFile('animated.gif'), bytesOf('<script>alert(1)</script>')))).toEqual(plain)
  })

  it('keeps whole frames of a truncated file', () => {
    const cut = mediaFile('animated.gif').slice(0, -5)
    const kept = countGifFrames(cleanGif(cut) ?? new Uint8Array(0), 99)
    expect(kept).toBe(countGifFrames(mediaFile('animated.gif'), 99) - 1)
  })

  it('finds nothing in a file without a frame', () => {
    expect(cleanGif(bytesOf('GIF89a\x01\x00\x01\x00\x00\x00\x00;'))).toBeNull()
    expect(cleanGif(bytesOf('GIF89a\x01\x00\x01\x00\xff\x00\x00'))).toBeNull()
  })
})
