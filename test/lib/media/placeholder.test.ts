import { decode } from 'blurhash'
import { describe, expect, it } from 'vitest'
import { drawPlaceholder, placeholderSize, plainBlurhash } from '../../../src/lib/media/placeholder'
import { decodePng } from '../../../src/lib/media/png'

const wren = 'LEHV6nWB2yk8pyo0adR*.7kCMdnj'

function drawn(blurhash: string, size: { width: number; height: number }) {
  const png = drawPlaceholder(blurhash, size)
  return png === null ? null : decodePng(png)
}

const pixel = (rgba: Uint8ClampedArray, index: number) => [...rgba.subarray(index * 4, index * 4 + 3)]

describe('fieldSize', () => {
  it.each([
    [
      { width: 1920, height: 1080 },
      { width: 160, height: 90 },
    ],
    [
      { width: 1080, height: 1920 },
      { width: 90, height: 160 },
    ],
    [
      { width: 64, height: 48 },
      { width: 139, height: 104 },
    ],
    [{}, { width: 160, height: 90 }],
    [
      { width: 1, height: 100_000 },
      { width: 1, height: 1_024 },
    ],
  ])('the field size of %o is %o', (size, field) => {
    expect(placeholderSize(size)).toEqual(field)
  })

  it('keeps the proportions of usual videos to a hundredth', () => {
    for (const [width, height] of [
      [854, 480],
      [640, 360],
      [1080, 1350],
      [3840, 1600],
      [720, 1280],
    ] as const) {
      const field = placeholderSize({ width, height })
      expect(Math.abs(field.width / field.height / (width / height) - 1)).toBeLessThan(0.01)
      expect(drawPlaceholder(plainBlurhash, field)).not.toBeNull()
    }
  })
})

describe('drawField', () => {
  it('draws the colours of a blurhash from corner to corner', () => {
    const size = { width: 160, height: 90 }
    const picture = drawn(wren, size)
    expect(picture).toMatchObject(size)
    const points = decode(wren, 32, 18)
    const rgba = picture?.rgba ?? new Uint8ClampedArray(0)
    expect(pixel(rgba, 0)).toEqual(pixel(points, 0))
    expect(pixel(rgba, 159)).toEqual(pixel(points, 31))
    expect(pixel(rgba, 160 * 90 - 1)).toEqual(pixel(points, 32 * 18 - 1))
  })

  it('blends softly from one colour to the next', () => {
    const { rgba } = drawn(wren, { width: 160, height: 90 }) ?? { rgba: new Uint8ClampedArray(0) }
    const steps = Array.from({ length: 159 }, (_, x) => Math.abs((rgba[x * 4] ?? 0) - (rgba[x * 4 + 4] ?? 0)))
    expect(Math.max(...steps)).toBeLessThan(8)
  })

  it('draws a plain field that is lighter above', () => {
    const { rgba } = drawn(plainBlurhash, { width: 160, height: 90 }) ?? { rgba: new Uint8ClampedArray(0) }
    expect(pixel(rgba, 0)[0]).toBeGreaterThan(pixel(rgba, 160 * 89)[0] ?? 255)
    expect(pixel(rgba, 0)).toEqual(pixel(rgba, 159))
  })

  it('takes some kilobytes at most', () => {
    expect(drawPlaceholder(wren, { width: 160, height: 90 })?.length).toBeLessThan(16_384)
    expect(drawPlaceholder(plainBlurhash, { width: 160, height: 90 })?.length).toBeLessThan(1_500)
  })

  it.each([
    ['no blurhash', 'wren', { width: 160, height: 90 }],
    ['nothing', '', { width: 160, height: 90 }],
    ['one of eighty-one components', `|${'0'.repeat(165)}`, { width: 160, height: 90 }],
    ['a size without area', wren, { width: 0, height: 90 }],
    ['more than fits', wren, { width: 320, height: 180 }],
    ['a side too long', wren, { width: 1_025, height: 1 }],
  ])('drawField draws nothing of %s', (_what, blurhash, size) => {
    expect(drawPlaceholder(blurhash, size)).toBeNull()
  })
})
