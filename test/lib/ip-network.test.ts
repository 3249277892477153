import { describe, expect, it } from 'vitest'
import { addressKey, joinRanges, networksAround, parseNetwork, rangesInclude } from '../../src/lib/network'

describe('parseNetwork', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1/32'],
    [' 192.0.2.77/24 ', '192.0.2.0/24'],
    ['10.9.8.7/9', '10.0.0.0/9'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::1', '2001:db8::1/128'],
    ['2001:db8:abcd:ef12::/33', '2001:db8:8000::/33'],
    ['::/0', '::/0'],
    ['::ffff:192.0.2.1', '192.0.2.1/32'],
    ['::ffff:192.0.2.1/120', '192.0.2.0/24'],
  ])('%s is %s', (text, cidr) => {
    expect(parseNetwork(text)?.cidr).toBe(cidr)
  })

  it.each([
    '',
    'somewhere',
    '1',
    '1.2.3',
    '010.1.1.1',
    '256.1.1.1',
    '192.0.2.1/33',
    '192.0.2.1/-1',
    '192.0.2.1/',
    '2001:db8::/129',
    '2001:db8::1::2',
    'fe80::1%eth0',
    '::ffff:192.0.2.1/80',
    '192.0.2.1/24/24',
  ])('does not read %j as a network', (text) => {
    expect(parseNetwork(text)).toBeNull()
  })
})

describe('networksAround', () => {
  it('names every prefix of an address', () => {
    expect(networksAround('192.0.2.77')).toHaveLength(33)
    expect(networksAround('192.0.2.77')).toEqual(
      expect.arrayContaining(['0.0.0.0/0', '192.0.0.0/8', '192.0.2.64/26', '192.0.2.77/32']),
    )
    expect(networksAround('::ffff:192.0.2.77')).toEqual(networksAround('192.0.2.77'))
    expect(networksAround('2001:db8::1')).toHaveLength(129)
    expect(networksAround('2001:db8::1')).toContain('2001:db8::/32')
    expect(networksAround('unknown')).toEqual([])
  })
})

describe('ranges', () => {
  const ranges = joinRanges(
    ['198.51.100.0/24', '2001:db8::/32', '192.0.2.0/25', '192.0.2.0/24', '192.0.2.7', '203.0.113.5'].flatMap(
      (text) => parseNetwork(text) ?? [],
    ),
  )

  it('merges overlapping ranges', () => {
    expect(ranges).toHaveLength(4 * 64)
  })

  it.each([
    ['192.0.2.0', true],
    ['192.0.2.255', true],
    ['::ffff:192.0.2.200', true],
    ['198.51.100.9', true],
    ['203.0.113.5', true],
    ['2001:db8:ffff::1', true],
    ['192.0.1.255', false],
    ['192.0.3.0', false],
    ['203.0.113.4', false],
    ['203.0.113.6', false],
    ['2001:db9::', false],
    ['::1', false],
  ])('ranges contain %s: %s', (ip, isIn) => {
    expect(rangesInclude(ranges, addressKey(ip) ?? '')).toBe(isIn)
  })

  it('empty ranges contain nothing', () => {
    expect(rangesInclude(joinRanges([]), addressKey('192.0.2.1') ?? '')).toBe(false)
  })
})
