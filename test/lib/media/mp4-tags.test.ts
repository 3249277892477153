import { describe, expect, it } from 'vitest'
import { readAudioVideo } from '../../../src/lib/media/av'
import { blankMovieTags } from '../../../src/lib/media/mp4'
import { bytesOf, mediaFile } from '../../support/media'

const place = '+52.5163+013.3777/'
const textOf = (bytes: Uint8Array) => String.fromCharCode(...bytes)

function box(type: string, ...content: readonly Uint8Array[]): Uint8Array {
  const size = 8 + content.reduce((sum, part) => sum + part.length, 0)
  return joined(bytesOf(String.fromCharCode(0, 0, size >> 8, size & 255) + type), ...content)
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

/** A film as a telephone writes it, with the place noted wherever telephones do. */
const film = () =>
  joined(
    box('ftyp', bytesOf('isom\0\0\0\0isom')),
    box('uuid', bytesOf(`0123456789abcdef<xmp>${place}`)),
    box(
      'moov',
      box('udta', box('\xa9xyz', bytesOf(place))),
      box('meta', bytesOf(`com.apple.quicktime.location.ISO6709${place}`)),
      box('trak', box('udta', bytesOf(place)), box('uuid', bytesOf('0123456789abcdefspherical'))),
      box('free', bytesOf('kept')),
    ),
    box('mdat', bytesOf('frames')),
  )

describe('blankMovieTags', () => {
  it('removes every trace of the place and moves nothing', () => {
    const before = film()
    const after = film()
    blankMovieTags(after)
    expect(textOf(after)).not.toContain(place)
    expect(textOf(after)).not.toContain('udta')
    expect(after.length).toBe(before.length)
    expect(textOf(after).indexOf('frames')).toBe(textOf(before).indexOf('frames'))
    expect(textOf(after)).toContain('spherical')
  })

  it('keeps the boxes that players need in real files', () => {
    for (const name of [
      'sound.mp4',
      'silent.mp4',
      'turned.mov',
      'fragmented.mp4',
      'sound.m4a',
      'sound.3gp',
    ]) {
      const bytes = mediaFile(name)
      const before = readAudioVideo(bytes)
      blankMovieTags(bytes)
      expect(textOf(bytes), name).not.toContain('Lavf')
      expect(readAudioVideo(bytes), name).toEqual(before)
    }
  })
})
