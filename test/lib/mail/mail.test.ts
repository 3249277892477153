import { describe, expect, it } from 'vitest'
import { isRefusal, toEmailMessage } from '../../../src/cloudflare/mailer'
import { oneLine, shortened } from '../../../src/lib/mail'

const mail = { to: 'ada@mail.test', subject: 'A wren', text: 'It sings.' }

/** Cloudflare answers every other header with an error, and makes these itself: Message-ID, Date, MIME-Version. */
const settable =
  /^(In-Reply-To|References|List-[A-Za-z-]+|Precedence|Auto-Submitted|Content-Language|X-[\w-]+)$/

describe('a mail for the binding', () => {
  it('a mail is marked as automatic', () => {
    expect(toEmailMessage(mail)).toEqual({ ...mail, headers: { 'Auto-Submitted': 'auto-generated' } })
  })

  it('a mail has markup and headers where they are given', () => {
    const given = toEmailMessage({ ...mail, html: '<p>It sings.</p>', headers: { 'List-Id': '<a.b>' } })
    expect(given).toMatchObject({ html: '<p>It sings.</p>', headers: { 'List-Id': '<a.b>' } })
    expect(Object.keys(given.headers).filter((name) => !settable.test(name))).toEqual([])
  })

  it.each([
    ['a line break', 'Wren\r\nBcc: everybody@mail.test', 'Wren Bcc: everybody@mail.test'],
    ['a bare return', 'Wren\rX: y', 'Wren X: y'],
    ['separators of lines and paragraphs', 'a\u2028b\u2029c\u0085d', 'a b c d'],
    ['what turns the direction of text', '\u202egro.live\u2066 x', 'gro.live x'],
    ['a null', 'a\u0000b', 'a b'],
  ])('keeps %s out of its header lines', (_what, hostile, expected) => {
    const { subject, headers } = toEmailMessage({ ...mail, subject: hostile, headers: { 'X-Name': hostile } })
    expect([subject, headers]).toEqual([expected, { 'Auto-Submitted': 'auto-generated', 'X-Name': expected }])
  })
})

describe('a text cut to one line', () => {
  it('keeps ordinary characters of names', () => {
    const name = 'Zoë 👩‍👩‍👧 می‌خواهم محمد'
    expect(oneLine(name)).toBe(name)
  })

  it('a text cut to one line ends with whole characters', () => {
    expect(oneLine('🐦'.repeat(100), 10)).toBe(`${'🐦'.repeat(9)}…`)
    expect(shortened('abc', 3)).toBe('abc')
    expect(shortened(`ab\ud83d`, 3)).toBe('ab\ufffd')
    expect(shortened('one two three', 8)).toBe('one two…')
  })
})

it.each([
  ['E_RECIPIENT_SUPPRESSED', true],
  ['E_HEADER_NOT_ALLOWED', true],
  ['E_RATE_LIMIT_EXCEEDED', false],
  ['E_INTERNAL_SERVER_ERROR', false],
])('takes %s for lasting: %s', (code, expected) => {
  expect(isRefusal(Object.assign(new Error('no'), { code }))).toBe(expected)
})

it('takes a failure without a code for one that passes', () => {
  expect([isRefusal(new Error('no')), isRefusal(null), isRefusal('E_FIELD_MISSING')]).toEqual([
    false,
    false,
    false,
  ])
})
