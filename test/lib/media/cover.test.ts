import { describe, expect, it } from 'vitest'
import { coverIn } from '../../../src/lib/media/cover'
import { mediaFile, mediaFileNames } from '../../support/media'
import { withCover } from '../../support/media-cover'

const picture = mediaFile('upright.jpg')

describe('coverIn', () => {
  it.each([
    ['ID3v2.3', withCover.id3(3, picture)],
    ['ID3v2.4', withCover.id3(4, picture)],
    [
      'ID3 with a description in UTF-16',
      withCover.id3(3, picture, { encoding: 1, description: '\xff\xfea\0\0\0' }),
    ],
    ['FLAC', withCover.flac(picture)],
    ['MP4', withCover.mp4(picture)],
  ])('finds the picture in %s', (_form, bytes) => {
    expect(coverIn(bytes)).toEqual(picture)
  })

  it('finds no cover in a file without one', () => {
    for (const name of mediaFileNames()) expect([name, coverIn(mediaFile(name))]).toEqual([name, null])
  })

  it('never fails, wherever a file ends or whatever byte differs', () => {
    for (const whole of [withCover.id3(3, picture), withCover.flac(picture), withCover.mp4(picture)])
      for (let at = 0; at < 200; at++) {
        expect(() => coverIn(whole.slice(0, at))).not.toThrow()
        expect(() => coverIn(whole.with(at, 0xff))).not.toThrow()
      }
  })
})
