import { describe, expect, it } from 'vitest'
import { readAudioVideo } from '../../../src/lib/media/av'
import { mediaFile } from '../../support/media'

const u32 = (...numbers: readonly number[]) =>
  numbers.flatMap((number) => [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255])
const letters = (text: string) => [...text].map((letter) => letter.charCodeAt(0))
const box = (type: string, ...parts: readonly (readonly number[])[]): readonly number[] => {
  const content = parts.flat()
  return [...u32(8 + content.length), ...letters(type), ...content]
}
const zeros = (count: number) => Array.from({ length: count }, () => 0)

interface Parts {
  /** `mvhd` and `mehd` in units of 1/1000 s, as in the files of browsers. */
  readonly stated?: number
  readonly extended?: number
  /** Default duration of samples, in units of 1/100 s. */
  readonly usual?: number
  readonly rest?: readonly (readonly number[])[]
}

const track = (id: number, handler: string) =>
  box(
    'trak',
    box('tkhd', u32(0, 0, 0, id), zeros(68)),
    box('mdia', box('mdhd', u32(0, 0, 0, 100, 0, 0)), box('hdlr', u32(0, 0), letters(handler), zeros(12))),
  )

function film({ stated = 0, extended = 0, usual = 0, rest = [] }: Parts): Uint8Array {
  const defaults = [1, 2].map((id) => box('trex', u32(0, id, 1, usual, 0, 0)))
  const length = extended === 0 ? [] : [box('mehd', u32(0, extended))]
  const moov = box(
    'moov',
    box('mvhd', u32(0, 0, 0, 1_000, stated), zeros(80)),
    track(1, 'vide'),
    track(2, 'soun'),
    box('mvex', ...length, ...defaults),
  )
  return Uint8Array.from([...box('ftyp', letters('isom'), u32(0), letters('iso5')), ...moov, ...rest.flat()])
}

const seconds = (parts: Parts) => readAudioVideo(film(parts)).durationSeconds

/** A fragment of one run: `durations` of its samples, or a number of them without any. */
function fragment(id: number, durations: readonly number[] | number, usual?: number): readonly number[] {
  const header = usual === undefined ? u32(0, id) : u32(0x0b, id, 0, 0, 1, usual)
  const run =
    typeof durations === 'number'
      ? u32(0x205, durations, 0, 0, ...zeros(durations))
      : u32(0x301, durations.length, 0, ...durations.flatMap((duration) => [duration, 7]))
  return box('moof', box('mfhd', u32(0, 1)), box('traf', box('tfhd', header), box('trun', run)))
}

/** An index of segments, in units of 1/10 s. */
const index = (durations: readonly number[], count = durations.length) =>
  box(
    'sidx',
    u32(0, 1, 10, 0, 0, count),
    durations.flatMap((duration) => u32(1_000, duration, 0)),
  )

describe('the length of a fragmented MP4', () => {
  it('sums the fragments of a real file', () => {
    // Fifteen pictures a tenth of a second each; the sound begins with a sample of 0.2 seconds, and lasts longer.
    expect(readAudioVideo(mediaFile('fragmented.mp4')).durationSeconds).toBeCloseTo(1.7, 2)
  })

  it('reads the stated length where there is one', () => {
    const rest = [fragment(1, [100, 100])]
    expect(seconds({ stated: 7_000, extended: 9_000, rest })).toBe(7)
    expect(seconds({ extended: 9_000, rest })).toBe(9)
  })

  it('uses the samples of the longest track', () => {
    const rest = [fragment(1, [100, 150]), fragment(2, [40]), fragment(1, [50]), fragment(2, [30])]
    expect(seconds({ rest })).toBe(3)
  })

  it('uses the durations of fragment and track where samples state none', () => {
    expect(seconds({ usual: 25, rest: [fragment(1, 4), fragment(1, 8)] })).toBe(3)
    expect(seconds({ usual: 25, rest: [fragment(1, 4, 50)] })).toBe(2)
  })

  it('uses the index where no fragment states a duration', () => {
    expect(seconds({ rest: [index([20, 15]), fragment(1, 3)] })).toBe(3.5)
  })

  it('counts the fragments of a video of hours', () => {
    const part = fragment(1, [100])
    expect(seconds({ rest: Array.from({ length: 10_000 }, () => part) })).toBe(10_000)
  })

  it.each([
    [
      'a run of more samples than it holds',
      [box('moof', box('traf', box('tfhd', u32(0, 1)), box('trun', u32(0x100, 0xffffffff, 100))))],
      1,
    ],
    ['an index of more segments than it holds', [index([20], 0xffff)], 2],
    ['an index without units', [box('sidx', u32(0, 1, 0, 0, 0, 1, 1, 20, 0))], null],
    ['a track that does not exist', [fragment(9, [100])], null],
    ['empty fragments', [box('moof'), box('moof', box('traf')), box('moof', box('traf', box('tfhd')))], null],
    ['a fragment that claims to be longer', [[...u32(0xfffffff0), ...fragment(1, [100]).slice(4)]], 1],
    ['a fragment of size zero', [[...u32(0), ...fragment(1, [100]).slice(4)]], 1],
    ['a fragment shorter than its head', [[...u32(4), ...fragment(1, [100]).slice(4)]], null],
  ])('the length of a fragmented MP4 survives %s', (_, rest, expected) => {
    expect(seconds({ rest })).toBe(expected)
  })

  it('reads millions of empty boxes quickly', () => {
    const empty = box('moof')
    const head = film({})
    const bytes = new Uint8Array(16_000_000)
    for (let at = 0; at < bytes.length; at += 8) bytes.set(empty, at)
    bytes.set(head)
    // The rest of the bytes after the head is no longer at a multiple of eight: pad with a free box.
    const pad = 8 + ((8 - (head.length % 8)) % 8)
    bytes.set([...u32(pad), ...letters('free')], head.length)
    expect(readAudioVideo(bytes).durationSeconds).toBeNull()
  })
})
