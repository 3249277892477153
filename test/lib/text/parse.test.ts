import { describe, expect, it } from 'vitest'
import { parseText } from '../../../src/lib/text/parse'

function mentionsIn(text: string): string[] {
  return parseText(text, 'text/plain').mentions.map(({ username, domain }) =>
    domain === null ? username : `${username}@${domain}`,
  )
}

function hashtagsIn(text: string): string[] {
  return parseText(text, 'text/plain').hashtags.map(({ display }) => display)
}

function urlsIn(text: string): readonly string[] {
  return parseText(text, 'text/plain').urls
}

describe('mentions', () => {
  it.each([
    ['@alice', ['alice']],
    ['Hi @alice, (@bob) and "@carol"!', ['alice', 'bob', 'carol']],
    ['@alice@remote.example.', ['alice@remote.example']],
    ['@alice@REMOTE.Example', ['alice@remote.example']],
    ['@alice@bücher.example', ['alice@xn--bcher-kva.example']],
    ['@alice@localhost:8788 @bob@127.0.0.1:80', ['alice@localhost:8788', 'bob@127.0.0.1:80']],
    ['@alice@a.example:30', ['alice@a.example']],
    ['@first.last@a.example', ['first.last@a.example']],
    ['@alice. @bob-', ['alice', 'bob']],
    ['@alice様', ['alice']],
    ['見て@alice', []],
    ['.@alice', ['alice']],
    ['@@alice', ['alice']],
    ['mail alice@example.com', []],
    ['_@alice', []],
    ['/@alice', []],
    ['x=@alice', []],
    ['@alice@', []],
    ['@alice@a.example@b.example', []],
    ['@alicé', []],
    ['@alice://x', []],
    ['https://a.example/@alice', []],
    ['https://a.example?u=@alice', []],
    ['@', []],
    ['@ alice', []],
    ['😀@alice', ['alice']],
    ['𝒳@alice', []],
  ])('in %j are %j', (text, mentions) => {
    expect(mentionsIn(text)).toEqual(mentions)
  })

  it('names an account once, whatever the case', () => {
    expect(mentionsIn('@Alice @alice@a.example @ALICE @alice@A.example')).toEqual([
      'Alice',
      'alice@a.example',
    ])
  })
})

describe('hashtags', () => {
  it.each([
    ['#foo', ['foo']],
    ['#foo, #bar. (#baz) "#qux"', ['foo', 'bar', 'baz', 'qux']],
    ['＃foo', ['foo']],
    ['#2024 #1 #2foo', ['2foo']],
    ['#日本語タグ、次', ['日本語タグ']],
    ['#한국어 #русский #עברית #हिन्दी', ['한국어', 'русский', 'עברית', 'हिन्दी']],
    ['#a·b #a・b #foo・', ['a·b', 'a・b', 'foo']],
    ['#foo_bar #foo-bar', ['foo_bar', 'foo']],
    ['a#foo 1#foo あ#foo', []],
    ['/#foo', []],
    [')#foo', []],
    ['&#39; &#x27;', []],
    ['=#foo', []],
    ['#foo#bar', []],
    ['##foo', ['foo']],
    ['#foo://x', []],
    ['https://a.example/#foo https://a.example#bar', []],
    ['# foo', []],
    ['#', []],
    ['_#foo_', ['foo_']],
  ])('in %j are %j', (text, hashtags) => {
    expect(hashtagsIn(text)).toEqual(hashtags)
  })

  it('counts spellings of one name once, keeps the first', () => {
    expect(parseText('#Crème #creme #CRÈME #other', 'text/plain').hashtags).toEqual([
      { name: 'creme', display: 'Crème' },
      { name: 'other', display: 'other' },
    ])
  })
})

describe('urls', () => {
  it.each([
    ['https://a.example', ['https://a.example']],
    ['HTTP://A.Example/X', ['HTTP://A.Example/X']],
    ['see https://a.example/x.', ['https://a.example/x']],
    ['https://a.example/x, https://b.example/y!', ['https://a.example/x', 'https://b.example/y']],
    ['(https://a.example/x)', ['https://a.example/x']],
    ['https://a.example/x_(y)', ['https://a.example/x_(y)']],
    ['https://a.example/x_(y_(z))', ['https://a.example/x_(y_(z))']],
    ['https://a.example/x_(y', ['https://a.example/x_']],
    ['[https://a.example/x]', ['https://a.example/x']],
    ['"https://a.example/x"', ['https://a.example/x']],
    ['<https://a.example/x>', ['https://a.example/x']],
    ['https://a.example/?q=a&b=', ['https://a.example/?q=a&b=']],
    ['https://a.example?q=1#f', ['https://a.example?q=1#f']],
    ['https://a.example:8080/x', ['https://a.example:8080/x']],
    ['http://localhost:8787/@a', ['http://localhost:8787/@a']],
    ['https://ja.example/東京', ['https://ja.example/東京']],
    ['https://例え.テスト/a', ['https://例え.テスト/a']],
    ['https://a.exampleを見て', ['https://a.example']],
    ['見てhttps://a.example', ['https://a.example']],
    ['https://xn--r8jz45g.xn--zckzah/', ['https://xn--r8jz45g.xn--zckzah/']],
    ['xhttps://a.example @https://b.example', []],
    ['https:// https://a http://1.2.3.4/ https://a..b https://-', []],
    ['https://user:pw@a.example/', []],
    ['ftp://a.example javascript:alert(1) a.example', []],
    ['https://a.example:99999/', []],
    ['https://a.example/x https://a.example/x', ['https://a.example/x']],
    ['https://a.example/\u2003x', ['https://a.example/']],
  ])('in %j are %j', (text, urls) => {
    expect(urlsIn(text)).toEqual(urls)
  })
})

describe('parseText', () => {
  it('reads hostile text in linear time', () => {
    // Read once for each character, a text would take minutes.
    for (const part of [
      '@a',
      '@a@',
      '#·',
      '#a·',
      'https://a.b/(',
      'https://xn--a.xn--a/',
      '_',
      '·',
      '.',
      '-.',
      '<',
      '[',
    ]) {
      parseText(part.repeat(500_000 / part.length), 'text/plain')
    }
  })
})
