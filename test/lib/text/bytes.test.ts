import { describe, expect, it } from 'vitest'
import { sanitiseHtml } from '../../../src/lib/html'
import { cutToBytes, fairShare, utf8Bytes, withinBytes } from '../../../src/lib/text/bytes'

describe('cutToBytes', () => {
  it.each([
    ['wren', 4, 'wren'],
    ['wren', 3, 'wre'],
    ['wren', 0, ''],
    ['éé', 3, 'é'],
    ['漢字', 5, '漢'],
    ['a😀', 4, 'a'],
    ['a😀', 5, 'a😀'],
  ])('cuts %s to %i bytes without half a character', (text, bytes, left) => {
    expect(cutToBytes(text, bytes)).toBe(left)
  })
})

describe('withinBytes', () => {
  it('keeps the first texts that fit together', () => {
    expect(withinBytes(['ab', 'cd', 'ef'], 8)).toEqual(['ab', 'cd'])
    expect(withinBytes(['ab', 'cd', 'ef'], 12)).toEqual(['ab', 'cd', 'ef'])
    expect(withinBytes(['漢字', 'a'], 7)).toEqual([])
  })
})

describe('fairShare', () => {
  it('fairShare cuts the longest only', () => {
    expect(fairShare([1, 2, 100, 300], 23)).toBe(10)
    expect(fairShare([5, 5], 10)).toBe(10)
    expect(fairShare([], 10)).toBe(10)
    expect(fairShare([40, 40, 40, 40], 100)).toBe(25)
  })
})

describe('sanitiseHtml with a bound', () => {
  it.each([
    ['<p>one <b>two</b></p>', 100, '<p>one <b>two</b></p>'],
    ['<p>one <b>two</b></p>', 19, '<p>one <b>t</b></p>'],
    ['<p>one <b>two</b> three</p>', 12, '<p>one </p>'],
    ['<p>one</p><p>two</p>', 16, '<p>one</p>'],
    ['<p>a&amp;b</p>', 10, '<p>a</p>'],
    ['<p>a<br>b</p>', 9, '<p>a</p>'],
    ['<p>漢字</p>', 12, '<p>漢</p>'],
    ['words', 3, 'wor'],
  ])('bounding %s to %i bytes writes balanced HTML and nothing after the cut', (html, maxBytes, safe) => {
    expect(sanitiseHtml(html, { maxBytes })).toBe(safe)
    expect(utf8Bytes(safe)).toBeLessThanOrEqual(maxBytes)
  })
})
