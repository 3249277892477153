import { describe, expect, it } from 'vitest'
import { readAudioVideo } from '../../../src/lib/media/av'
import { readDimensions } from '../../../src/lib/media/dimensions'
import { decodePng } from '../../../src/lib/media/png'
import { sniffMedia } from '../../../src/lib/media/sniff'
import { bytesOf, mediaFile, mediaFileNames } from '../../support/media'

const nothing = {
  durationSeconds: null,
  width: null,
  height: null,
  frameRate: null,
  bitrate: null,
  hasVideo: null,
  hasAudio: null,
}

// Seconds as ffprobe states them.
const sounds: ReadonlyArray<readonly [string, number]> = [
  ['constant.mp3', 1.5675],
  ['variable.mp3', 1.567347],
  ['vorbis.ogg', 1.5],
  ['opus.ogg', 1.5],
  ['flac.ogg', 1.5],
  ['sound.wav', 0.5],
  ['sound.flac', 0.5],
  ['sound.m4a', 1.5],
  ['sound-only.mp4', 1.5],
  ['sound.3gp', 1.5],
  ['voice.webm', 1.508],
  ['sound.wma', 1.532],
]

const videos: ReadonlyArray<readonly [string, number, boolean]> = [
  ['sound.mp4', 1.5, true],
  ['silent.mp4', 1.5, false],
  ['film.ogv', 1.5, true],
  ['sound.webm', 1.508, true],
  ['silent.webm', 1.5, false],
]

describe('readAudioVideo', () => {
  it.each(sounds)('reads %s as %d seconds of sound without pictures', (name, seconds) => {
    const av = readAudioVideo(mediaFile(name))

    expect(av.durationSeconds).toBeCloseTo(seconds, 2)
    expect(av).toMatchObject({ hasVideo: false, hasAudio: true, width: null, height: null, frameRate: null })
  })

  it.each(videos)('reads %s as %d seconds of 64 × 48, sound: %s', (name, seconds, hasAudio) => {
    const av = readAudioVideo(mediaFile(name))

    expect(av.durationSeconds).toBeCloseTo(seconds, 2)
    expect(av).toMatchObject({ hasVideo: true, hasAudio, width: 64, height: 48 })
  })

  it.each(['sound.mp4', 'silent.mp4', 'film.ogv'])('finds ten frames a second in %s', (name) => {
    expect(readAudioVideo(mediaFile(name)).frameRate).toBeCloseTo(10, 5)
  })

  it('counts the bitrate over the whole file, like ffprobe', () => {
    expect(readAudioVideo(mediaFile('silent.mp4')).bitrate).toBe(13_072)
  })

  it('shows a video recorded upright upright', () => {
    expect(readAudioVideo(mediaFile('turned.mov'))).toMatchObject({ width: 48, height: 64, hasAudio: false })
  })

  it('measures raw AAC by its frames', () => {
    expect(readAudioVideo(mediaFile('sound.aac')).durationSeconds).toBeCloseTo((34 * 1024) / 22_050, 1)
  })

  it('uses the last block for the length of a recording without one', () => {
    expect(readAudioVideo(mediaFile('live.webm')).durationSeconds).toBeCloseTo(1.5, 1)
  })

  it('finds the tracks of a fragmented MP4', () => {
    expect(readAudioVideo(mediaFile('fragmented.mp4'))).toMatchObject({
      bitrate: expect.any(Number),
      width: 64,
      height: 48,
      hasAudio: true,
    })
  })

  it('measures a WAV whose recorder never wrote its size', () => {
    const wav = mediaFile('sound.wav').slice()
    const data = wav.findIndex((_, at) => new TextDecoder().decode(wav.subarray(at, at + 4)) === 'data')
    wav.fill(0xff, data + 4, data + 8)

    expect(readAudioVideo(wav).durationSeconds).toBeCloseTo(0.5, 2)
  })

  it.each(['rgb.png', 'film.mkv'])('readAudioVideo finds nothing in %s', (name) => {
    expect(readAudioVideo(mediaFile(name))).toEqual(nothing)
  })

  it('finds nothing in a web page named film.mp4', () => {
    expect(readAudioVideo(bytesOf('<!doctype html><title>film</title>'))).toEqual(nothing)
  })
})

describe('hostile media', () => {
  function readEverything(bytes: Uint8Array) {
    return [sniffMedia(bytes), readDimensions(bytes), readAudioVideo(bytes), decodePng(bytes)]
  }

  it.each(mediaFileNames())('no reader throws where %s is truncated anywhere', (name) => {
    const bytes = mediaFile(name)
    const step = Math.max(1, Math.floor(bytes.length / 100))

    for (let end = 0; end < bytes.length; end += step) {
      expect(readEverything(bytes.slice(0, end))).toHaveLength(4)
    }
  })

  it.each(mediaFileNames())('no reader throws where %s is damaged anywhere', (name) => {
    const bytes = mediaFile(name)
    const step = Math.max(1, Math.floor(bytes.length / 100))

    for (let at = 0; at < bytes.length; at += step) {
      for (const damage of [0, 0x7f, 0xff]) {
        const damaged = bytes.slice()
        damaged.fill(damage, at, at + 4)
        const av = readAudioVideo(damaged)
        expect(readEverything(damaged)).toHaveLength(4)
        expect([av.durationSeconds, av.frameRate, av.bitrate].every(isNullOrPositive)).toBe(true)
      }
    }
  })

  it.each([
    ['empty boxes', `\0\0\0\x14ftypisom\0\0\0\0isom${'\0\0\0\x08free'.repeat(100_000)}`],
    ['boxes of size zero', `\0\0\0\x14ftypisom\0\0\0\0isom${'\0'.repeat(800_000)}`],
    [
      'endless EBML containers',
      `\x1a\x45\xdf\xa3\x87\x42\x82\x84webm${'\x1f\x43\xb6\x75\xff'.repeat(160_000)}`,
    ],
    ['GIF blocks of one byte', `GIF89a\x01\0\x01\0\0\0\0${'\x21\xfe\x01x\0'.repeat(160_000)}`],
    ['JPEG segments of length zero', `\xff\xd8${'\xff\xe1\0\0'.repeat(200_000)}`],
    ['an ID3 tag over most of the file', `ID3\x04\0\0\0\x30\0\0${'\xff\xf1'.repeat(400_000)}`],
  ])('gives up on %s quickly', (_, text) => {
    expect(readAudioVideo(bytesOf(text)).durationSeconds).toBeNull()
    expect(readDimensions(bytesOf(text))).not.toEqual({ width: 0, height: 0 })
  })

  function isNullOrPositive(value: number | null): boolean {
    return value === null || (Number.isFinite(value) && value > 0)
  }
})
