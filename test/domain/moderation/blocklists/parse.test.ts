import { describe, expect, it } from 'vitest'
import {
  formatBlocklist,
  type ListedLimit,
  maxLines,
  parseBlocklist,
} from '../../../../src/domain/moderation/blocklists/parse'

const config = { ownDomains: ['social.example.org'] }
const parse = (...lines: readonly string[]) => parseBlocklist(config, lines.join('\n'))
const heading = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate'

const limit = (domain: string, more: Partial<ListedLimit> = {}): ListedLimit => ({
  domain,
  severity: 'suspend',
  rejectMedia: false,
  rejectReports: false,
  obfuscate: false,
  publicComment: '',
  ...more,
})

describe('a list of limits', () => {
  it('reads Mastodon’s format with columns in any order', () => {
    const silenced = limit('bad.test', {
      severity: 'silence',
      rejectMedia: true,
      obfuscate: true,
      publicComment: 'Spam, "and more"',
    })
    expect(parse(heading, 'bad.test,silence,True,false,"Spam, ""and more""",1')).toEqual([silenced])
    expect(parse('severity,domain,public_comment', 'silence,B\u00fccher.test,')).toEqual([
      limit('xn--bcher-kva.test', { severity: 'silence' }),
    ])
  })

  it('reads a list without a heading as domains to suspend', () => {
    expect(parse('\u{feff}# Remark', 'a.test', '', '*.b.test', 'A.test')).toEqual([
      limit('a.test'),
      limit('b.test'),
    ])
  })

  it('writes a list as it is read', () => {
    const limits = [
      limit('a.test', { severity: 'noop', rejectReports: true }),
      limit('b.test', { publicComment: 'Two\nlines, "quoted"', obfuscate: true }),
    ]
    const text = formatBlocklist(limits)
    expect(text.split('\n')[0]).toBe(heading)
    expect(parseBlocklist(config, text)).toEqual(limits)
  })

  it.each([
    [
      ['a.test', 'two words', 'b.test', 'c_d.test!'],
      'Line 2: “two words” is not a valid domain name; Line 4: “c_d.test!” is not a valid domain name',
    ],
    [[heading, 'a.test,suspend', 'b.test,worse'], 'Line 3: “worse” is not a severity'],
    [[heading, 'a.test,suspend,perhaps'], 'Line 2: reject_media is neither true nor false'],
    [
      [heading, '"a.test",suspend,,,"two', 'lines"', 'ev*l.test'],
      'Line 4: “ev*l.test” is not a valid domain name',
    ],
    [['co.uk'], 'Line 1: co.uk is a public suffix, shared by unrelated servers'],
    [['a.test', 'example.org'], 'Line 2: example.org is that of this server, or a parent of it'],
    [
      [heading, 'a.test,suspend', 'a.test,silence'],
      'Line 3: a.test is in the list already, with other values',
    ],
    [[heading, 'a.test,suspend,,,"open', 'b.test,suspend'], 'Line 2: a quotation mark is not closed'],
  ])('refuses a list and names the invalid lines: %j', (lines, message) => {
    expect(() => parse(...lines)).toThrow(message)
  })

  it('names at most ten lines, and reads at most 10,000', () => {
    const bad = Array.from({ length: 12 }, () => '?')
    expect(() => parse(...bad)).toThrow(/Line 10: .*; and 2 more lines$/)
    const many = Array.from({ length: maxLines }, (_, at) => `s${at}.test`)
    expect(parse(...many)).toHaveLength(maxLines)
    expect(() => parse(...many, 'one-more.test')).toThrow('The list has more than 10000 lines')
  })
})
