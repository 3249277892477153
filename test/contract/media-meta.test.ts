import { describe, expect, it } from 'vitest'
import { parseFocus, pictureMeta, playbackMeta } from '../../src/contract/media-meta'
import { readAudioVideo } from '../../src/lib/media/av'
import { mediaFile } from '../support/media'

const film = {
  durationSeconds: 12.5,
  width: 1280,
  height: 720,
  frameRate: 30,
  bitrate: 862_056,
  hasVideo: true,
  hasAudio: true,
}

describe('pictureMeta', () => {
  it('describes both sizes and the focus', () => {
    const meta = pictureMeta(
      { width: 1600, height: 900 },
      { small: { width: 640, height: 360 }, focus: { x: -0.5, y: 0.25 } },
    )

    expect(meta).toEqual({
      original: { width: 1600, height: 900, size: '1600x900', aspect: 16 / 9 },
      small: { width: 640, height: 360, size: '640x360', aspect: 16 / 9 },
      focus: { x: -0.5, y: 0.25 },
    })
  })

  it('pictureMeta leaves out unknown values', () => {
    expect(pictureMeta(null)).toEqual({})
  })
})

describe('playbackMeta', () => {
  it('playbackMeta describes a video', () => {
    expect(playbackMeta(film, { small: { width: 400, height: 225 } })).toEqual({
      original: { width: 1280, height: 720, frame_rate: '30/1', duration: 12.5, bitrate: 862_056 },
      small: { width: 400, height: 225, size: '400x225', aspect: 16 / 9 },
    })
  })

  it('gives sound a length and a bitrate alone', () => {
    expect(playbackMeta(readAudioVideo(mediaFile('sound.wav')))).toEqual({
      original: { duration: 0.5, bitrate: 65_248 },
    })
  })

  it.each([
    [10, '10/1'],
    [30_000 / 1001, '30000/1001'],
    [12.34, '12340/1000'],
  ])('writes %d frames a second as %s', (frameRate, fraction) => {
    expect(playbackMeta({ ...film, frameRate }).original).toMatchObject({ frame_rate: fraction })
  })
})

describe('parseFocus', () => {
  it.each([
    ['0,0', { x: 0, y: 0 }],
    ['-0.42,0.69', { x: -0.42, y: 0.69 }],
    [' 1.0 , -1 ', { x: 1, y: -1 }],
    ['.5,5.5e-17', { x: 0.5, y: 5.5e-17 }],
  ])('parseFocus reads %s', (value, focus) => {
    expect(parseFocus(value)).toEqual(focus)
  })

  it.each(['', ',', '0', '0,', '0,0,0', 'a,b', '1.01,0', '0,-1.01', 'NaN,0', 'Infinity,0'])(
    'parseFocus refuses %j',
    (value) => {
      expect(parseFocus(value)).toBeNull()
    },
  )
})
