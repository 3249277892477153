import { describe, expect, it } from 'vitest'
import { parseText } from '../../../src/contract/text/parse'

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
    ['（@alice）、@bob。@carol@a.example！', ['alice', 'bob', 'carol@a.example']],
    ['https://a.example/x、@alice', ['alice']],
    ['xmpp:alice@a.example magnet:?dn=@bob', []],
  ])('finds in %j the mentions %j', (text, mentions) => {
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
    ['#ශ්\u200dරී ලංකා', ['ශ්\u200dරී']],
    ['#বাংলাদেশ\u200d, #क्\u200dष।', ['বাংলাদেশ\u200d', 'क्\u200dष']],
    ['#می\u200cخواهم #ന്\u200dറെ', ['می\u200cخواهم', 'ന്\u200dറെ']],
    ['#foo\u200d·bar #foo·\u200d! #\u200dfoo #1\u200d2', ['foo\u200d·bar', 'foo']],
    ['（#foo）「#bar」、#baz！', ['foo', 'bar', 'baz']],
    ['https://a.example/x、#foo', ['foo']],
  ])('finds in %j the hashtags %j', (text, hashtags) => {
    expect(hashtagsIn(text)).toEqual(hashtags)
  })

  it('counts spellings of one name once, keeping the first', () => {
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
    ['https://a.example/\u200bx https://b.example/y\u202ez', ['https://a.example/', 'https://b.example/y']],
    ['https://fa.example/wiki/می\u200cخواهم', ['https://fa.example/wiki/می\u200cخواهم']],
  ])('finds in %j the addresses %j', (text, urls) => {
    expect(urlsIn(text)).toEqual(urls)
  })
})

describe('urls in East Asian texts', () => {
  it.each([
    ['【https://a.example/x】', ['https://a.example/x']],
    ['https://a.example/x、次', ['https://a.example/x']],
    ['https://a.example/x，接着', ['https://a.example/x']],
    ['https://a.example/x！すごい', ['https://a.example/x']],
    ['https://a.example/x？y=1', ['https://a.example/x']],
    ['「https://a.example/x」『https://b.example』', ['https://a.example/x', 'https://b.example']],
    [
      '（https://a.example/?q=x）と《https://b.example/y》',
      ['https://a.example/?q=x', 'https://b.example/y'],
    ],
    ['見“https://a.example/x”吧；https://b.example/y：', ['https://a.example/x', 'https://b.example/y']],
    ['https://a.example/x（説明）', ['https://a.example/x']],
    ['https://a.example/x｣ https://b.example/y､z', ['https://a.example/x', 'https://b.example/y']],
    ['https://a.example#x〉https://b.example?y〕', ['https://a.example#x', 'https://b.example?y']],
    ['https://ja.example/wiki/君の名は。', ['https://ja.example/wiki/君の名は。']],
    ['https://ja.example/wiki/君の名は。 次', ['https://ja.example/wiki/君の名は。']],
    ['https://ja.example/wiki/君の名は。\n次', ['https://ja.example/wiki/君の名は。']],
    ['https://a.example/a。次の文', ['https://a.example/a']],
    ['「https://a.example/a。」', ['https://a.example/a']],
    ['https://a.example/a｡次', ['https://a.example/a']],
    ['https://a.example。次 https://b.example/。。', ['https://a.example', 'https://b.example/']],
    ['https://ja.example/ジョン・レノン〜々ー', ['https://ja.example/ジョン・レノン〜々ー']],
    ['https://ja.example/x_(日本)', ['https://ja.example/x_(日本)']],
  ])('finds in %j the addresses %j', (text, urls) => {
    expect(urlsIn(text)).toEqual(urls)
  })

  it.each([
    ['“https://a.example/x” «https://b.example/y»', ['https://a.example/x', 'https://b.example/y']],
    ['‘https://a.example/L’Équipe’', ['https://a.example/L’Équipe']],
    ['https://a.example/x… https://b.example/y‥', ['https://a.example/x', 'https://b.example/y']],
    ['https://a.example/x।', ['https://a.example/x']],
    ['https://a.example/x، https://b.example/y؟', ['https://a.example/x', 'https://b.example/y']],
  ])('an address ends before the punctuation of other scripts: in %j are %j', (text, urls) => {
    expect(urlsIn(text)).toEqual(urls)
  })
})

describe('urls with emojis in their domain', () => {
  it.each([
    ['https://i❤.ws', ['https://i❤.ws']],
    ['https://📙.la', ['https://📙.la']],
    ['see https://📙.la/x, https://i❤️.ws!', ['https://📙.la/x', 'https://i❤️.ws']],
    ['https://www.👍🏽.example/?q=1', ['https://www.👍🏽.example/?q=1']],
    ['https://a.example🎉', ['https://a.example']],
    ['https://a.com👉b.com', ['https://a.com']],
    ['https://a.com.❤️ https://例え.テスト🎉', ['https://a.com', 'https://例え.テスト']],
    ['https://🎉 https://a.🎉', []],
  ])('finds in %j the addresses %j', (text, urls) => {
    expect(urlsIn(text)).toEqual(urls)
  })
})

describe('urls of other schemes', () => {
  it.each([
    ['xmpp:user@a.example', ['xmpp:user@a.example']],
    ['please join xmpp:muc@a.example?join right now', ['xmpp:muc@a.example?join']],
    [
      'XMPP:a.example/home. xmpp://me@a.example/you@b.example',
      ['XMPP:a.example/home', 'xmpp://me@a.example/you@b.example'],
    ],
    ['magnet:?xt=urn:btih:c12fe1c0&dn=a_b.', ['magnet:?xt=urn:btih:c12fe1c0&dn=a_b']],
    ['gemini://a.example/x. gopher://b.example:70/1', ['gemini://a.example/x', 'gopher://b.example:70/1']],
    ['（gemini://a.example/x）', ['gemini://a.example/x']],
    ['dat://a.example dweb://b.example/', ['dat://a.example', 'dweb://b.example/']],
    ['ipfs://bafybeigd/wiki ipns://c.example', ['ipfs://bafybeigd/wiki', 'ipns://c.example']],
    ['ssb://message/sha256/aB-_=', ['ssb://message/sha256/aB-_']],
    ['axmpp:a@b.example xmpp: xmpp:@alice magnet: magnet:?', []],
    ['gemini://a gopher://1.2.3.4/ ipfs:// dat://. javascript://a.example file://a.example', []],
    ['xmpp:a@b magnet:x=1 mailto:a@b.example', []],
  ])('finds in %j the addresses %j', (text, urls) => {
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
      'xmpp:a',
      'xmpp://a@',
      'magnet:?',
      'ipfs://a',
      '❤.',
      'https://❤.com❤',
      '。',
      'https://a.b/。',
      'क्\u200d',
      '#क्\u200d',
      '#\u200c',
    ]) {
      parseText(part.repeat(500_000 / part.length), 'text/plain')
    }
    for (const part of ['❤.', '.❤', '.com❤', 'テ.', '❤', 'xn--'])
      for (const start of ['https://a', 'xmpp:a@b'])
        parseText(start + part.repeat(500_000 / part.length), 'text/plain')
  })
})
