import { describe, expect, it } from 'vitest'
import { allowsRange, contentRange, matchesEtag, parseRange } from '../../src/lib/request-headers'

describe('parseRange', () => {
  it.each([
    ['bytes=0-', { offset: 0, length: 1000 }],
    ['bytes=0-0', { offset: 0, length: 1 }],
    ['bytes=200-299', { offset: 200, length: 100 }],
    ['bytes=200-5000', { offset: 200, length: 800 }],
    ['bytes=999-', { offset: 999, length: 1 }],
    ['bytes=-1', { offset: 999, length: 1 }],
    ['bytes=-5000', { offset: 0, length: 1000 }],
    ['Bytes= 5 - 9 ', { offset: 5, length: 5 }],
  ])('reads %s of 1,000 bytes', (header, range) => {
    expect(parseRange(header, 1000)).toEqual(range)
  })

  it.each([
    null,
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=9-5',
    'items=0-5',
    'bytes=0-1,5-6',
    'bytes=a-b',
    'bytes=1.5-2',
  ])('sends the whole body for %j', (header) => {
    expect(parseRange(header, 1000)).toBeNull()
  })

  it.each(['bytes=1000-', 'bytes=1000-2000', 'bytes=999999999999999-', 'bytes=-0'])(
    'parseRange cannot satisfy %s',
    (header) => {
      expect(parseRange(header, 1000)).toBe('unsatisfiable')
    },
  )

  it.each(['bytes=0-', 'bytes=-5'])('parseRange cannot satisfy %s of an empty body', (header) => {
    expect(parseRange(header, 0)).toBe('unsatisfiable')
  })
})

describe('contentRange', () => {
  it('names first, last and size, or the size alone for 416', () => {
    expect(contentRange({ offset: 200, length: 100 }, 1000)).toBe('bytes 200-299/1000')
    expect(contentRange(null, 1000)).toBe('bytes */1000')
  })
})

describe('matchesEtag', () => {
  it.each(['"a"', '"b", "a"', 'W/"a"', '*'])('matchesEtag matches %s', (header) => {
    expect(matchesEtag(header, '"a"')).toBe(true)
  })

  it.each([null, undefined, '', '"b"', 'a'])('matchesEtag does not match %j', (header) => {
    expect(matchesEtag(header, '"a"')).toBe(false)
  })
})

describe('allowsRange', () => {
  it('allows a range without a condition or for the same version', () => {
    expect(allowsRange(null, '"a"')).toBe(true)
    expect(allowsRange('"a"', '"a"')).toBe(true)
  })

  it('returns another, a weak or a dated version whole', () => {
    expect(allowsRange('"b"', '"a"')).toBe(false)
    expect(allowsRange('W/"a"', 'W/"a"')).toBe(false)
    expect(allowsRange('Sat, 21 Nov 2026 00:00:00 GMT', '"a"')).toBe(false)
  })
})
