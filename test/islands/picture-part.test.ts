import { describe, expect, it } from 'vitest'
import { centreWithin, isAnimated, scaleOf } from '../../src/islands/lib/picture-part'

const head = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

describe('an animated picture', () => {
  it.each([
    ['image/gif', 'GIF89a', true],
    ['image/webp', `RIFF0000WEBPVP8X0000${String.fromCharCode(2)}`, true],
    ['image/webp', `RIFF0000WEBPVP8X0000${String.fromCharCode(16)}`, false],
    ['image/webp', 'RIFF0000WEBPVP8 ', false],
    ['image/png', 'PNG..IHDR..acTL..IDAT', true],
    ['image/png', 'PNG..IHDR..IDAT..acTL', false],
    ['image/jpeg', 'acTL', false],
  ])('recognises an animated picture by its type and first bytes: %s %j is %s', (type, text, expected) => {
    expect(isAnimated(type, head(text))).toBe(expected)
  })
})

it('the part of a picture fills its area at every zoom, and never leaves the picture', () => {
  const [picture, area] = [
    { width: 800, height: 400 },
    { width: 400, height: 400 },
  ]
  expect(scaleOf(picture, area, 1)).toBe(1)
  expect(scaleOf(picture, area, 4)).toBe(4)
  const at = (x: number, y: number) => centreWithin(picture, area, { scale: 1, wanted: { x, y } })
  expect(at(0, 0)).toEqual({ x: 200, y: 200 })
  expect(at(2_000, 2_000)).toEqual({ x: 600, y: 200 })
  expect(at(300, 200)).toEqual({ x: 300, y: 200 })
})
