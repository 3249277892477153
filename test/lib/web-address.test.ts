import { describe, expect, it } from 'vitest'
import { hostOf, pageKeyOf, parseWebAddress, sameOrigin } from '../../src/lib/web-address'

describe('parseWebAddress', () => {
  it.each([
    ['a plain address', 'https://a.test/users/b', 'https://a.test/users/b'],
    ['no slash of its own making', 'https://a.test', 'https://a.test'],
    ['scheme and host in lower case', 'HTTPS://A.Test/Users/B', 'https://a.test/Users/B'],
    ['a fragment and a query', 'https://a.test/?author=1#main-key', 'https://a.test/?author=1#main-key'],
    ['white space around cut off', ' https://a.test/x\n', 'https://a.test/x'],
    ['the path letter by letter', 'https://a.test/~b/../%7eb', 'https://a.test/~b/../%7eb'],
    ['an IDN host as punycode', 'https://Bücher.test/x', 'https://xn--bcher-kva.test/x'],
    ['other letters in the path encoded', 'https://a.test/ü b', 'https://a.test/%C3%BC%20b'],
    ['the usual port left out', 'https://a.test:443/x', 'https://a.test/x'],
    ['an unusual port kept', 'https://a.test:8443/x', 'https://a.test:8443/x'],
    ['a backslash as browsers read it', 'https://a.test\\@evil.test/x', 'https://a.test/@evil.test/x'],
    ['plain http', 'http://a.test/x', 'http://a.test/x'],
  ])('parseWebAddress gives %s', (_what, text, address) => {
    expect(parseWebAddress(text)).toBe(address)
  })

  it.each([
    '//a.test/x',
    '/x',
    'x',
    '',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a.test/',
    'at://did:plc:abc/app.bsky.feed.post/1',
    'did:web:a.test',
    'acct:a@b.test',
    'https://user@a.test/',
    'https://user:secret@a.test/',
    'https://',
    'https:///x',
    'https:a.test',
    'https://a b.test/',
    'https://a.test:99999/',
    `https://a.test/${'x'.repeat(2048)}`,
  ])('parseWebAddress refuses %s [T-682]', (text) => {
    expect(parseWebAddress(text)).toBeNull()
  })
})

describe('sameOrigin', () => {
  it.each([
    ['https://a.test/x', 'https://A.test/y', true],
    ['https://a.test/x', 'https://a.test:443/y', true],
    ['https://a.test/x', 'https://b.test/x', false],
    ['https://a.test/x', 'https://a.test.evil.test/x', false],
    ['https://a.test/x', 'http://a.test/x', false],
    ['https://a.test/x', 'https://a.test:8443/x', false],
    ['x', 'x', false],
    ['urn:a', 'urn:a', false],
  ])('compares %s and %s: %s', (one, other, same) => {
    expect(sameOrigin(one, other)).toBe(same)
  })
})

describe('hostOf', () => {
  it.each([
    ['https://A.test:8443/x', 'a.test:8443'],
    ['https://a.test/x', 'a.test'],
    ['mailto:a@b.test', null],
    ['x', null],
  ])('the host of %s is %s', (address, host) => {
    expect(hostOf(address)).toBe(host)
  })
})

describe('pageKeyOf', () => {
  it.each([
    ['https://a.test', 'a.test'],
    ['HTTP://A.Test:80///', 'a.test'],
    ['https://a.test./x/#y', 'a.test/x'],
    ['https://a.test:8443/x?', 'a.test:8443/x'],
    ['https://a.test/%7eb%28c%29%2f?q=%c3%a4&r=ä', 'a.test/~b(c)%2F?q=%C3%A4&r=%C3%A4'],
    ['https://Bücher.test/東', 'xn--bcher-kva.test/%E6%9D%B1'],
    ['https://a.test/%', 'a.test/%'],
  ])('the page key of %s is %s', (address, key) => {
    expect(pageKeyOf(address)).toBe(key)
  })

  it.each(['gemini://a.test', 'https://me:pw@a.test', 'https://', `https://a.test/${'x'.repeat(2048)}`, ''])(
    'the page key of %j is null',
    (address) => {
      expect(pageKeyOf(address)).toBeNull()
    },
  )

  it.each([
    ['https://a.test/x', 'https://a.test/X'],
    ['https://a.test/x?a=1&b=2', 'https://a.test/x?b=2&a=1'],
    ['https://a.test/a/b', 'https://a.test/a%2Fb'],
    ['https://a.test/x', 'https://www.a.test/x'],
    ['https://a.test/?q=a%26b', 'https://a.test/?q=a&b'],
  ])('pageKeyOf distinguishes %s and %s', (one, other) => {
    expect(pageKeyOf(one)).not.toBe(pageKeyOf(other))
  })
})
