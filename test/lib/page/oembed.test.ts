import { describe, expect, it } from 'vitest'
import { readEmbed } from '../../../src/lib/page/oembed'
import { playerHtml } from '../../../src/lib/page/player'

const base = 'https://site.test/oembed?url=x'
const read = (document: object) => readEmbed({ version: '1.0', ...document }, base)

describe('an oEmbed document', () => {
  it('reads author and provider with followable addresses', () => {
    expect(
      read({
        type: 'link',
        title: ' A\nwren ',
        author_name: 'Ann',
        author_url: '/ann',
        provider_name: 'Birds',
        provider_url: 'javascript:alert(1)',
        thumbnail_url: 'http://cdn.test/t.png',
        cache_age: 'x',
      }),
    ).toEqual({
      title: 'A wren',
      authorName: 'Ann',
      authorUrl: 'https://site.test/ann',
      providerName: 'Birds',
      providerUrl: '',
      thumbnail: 'https://cdn.test/t.png',
      content: { type: 'link' },
    })
  })

  it('decodes entities once, and treats tags as text', () => {
    expect(
      read({
        type: 'link',
        title: 'Tit &amp; Wren&#39;s &lt;nest&gt; &amp;amp; <b>eggs</b> R&D',
        author_name: 'Bj&ouml;rn',
        provider_name: '&#x1F426; Birds',
      }),
    ).toMatchObject({
      title: "Tit & Wren's <nest> &amp; <b>eggs</b> R&D",
      authorName: 'Björn',
      providerName: '\u{1f426} Birds',
    })
  })

  it('an oEmbed document accepts common deviations', () => {
    expect(read({ type: 'photo', url: '/p.png', width: '640', height: null, title: 5 })).toMatchObject({
      title: '',
      content: { type: 'photo', url: 'https://site.test/p.png', width: 640, height: 0 },
    })
    expect(readEmbed({ version: 1, type: 'link' }, base)).not.toBeNull()
  })

  it.each([
    ['nothing', null],
    ['a list', []],
    ['words', 'x'],
    ['no version', { type: 'link' }],
    [
      'a rich one, which wants to run scripts',
      { version: '1.0', type: 'rich', html: '<iframe src="https://a.test">' },
    ],
    ['a photo without address', { version: '1.0', type: 'photo' }],
    ['a photo that is a script', { version: '1.0', type: 'photo', url: 'javascript:alert(1)' }],
    ['a video without a frame', { version: '1.0', type: 'video', html: '<b>x</b><script>alert(1)</script>' }],
    ['a video of a script', { version: '1.0', type: 'video', html: '<iframe src="javascript:alert(1)">' }],
    [
      'a video of a document of its own',
      { version: '1.0', type: 'video', html: '<iframe srcdoc="<script>">' },
    ],
    ['a video without protection', { version: '1.0', type: 'video', html: '<iframe src="http://a.test/">' }],
    ['a video on its own page', { version: '1.0', type: 'video', html: '<iframe src="/x">' }],
  ])('refuses a document: %s', (_, document) => {
    expect(readEmbed(document, base)).toBeNull()
  })

  it('keeps only one frame of a video [T-673]', () => {
    const embed = read({
      type: 'video',
      width: 640,
      height: 99_999,
      html:
        '<script>alert(1)</script><div onclick=x><iframe onload="alert(1)" src="//play.test/?a=1&amp;b=&quot;><script>" ' +
        'style="position:fixed" allow="camera" srcdoc="x" width=1 height=2></iframe></div><iframe src="https://b.test/">',
    })
    if (embed?.content.type !== 'video') throw new Error('no video')
    const { player } = embed.content
    expect(player).toEqual({
      src: 'https://play.test/?a=1&b=%22%3E%3Cscript%3E',
      width: 640,
      height: 10_000,
    })
    expect(playerHtml(player)).toBe(
      '<iframe src="https://play.test/?a=1&amp;b=%22%3E%3Cscript%3E" width="640" height="10000" allowfullscreen="" ' +
        'scrolling="no" frameborder="0" sandbox="allow-scripts allow-same-origin allow-popups ' +
        'allow-popups-to-escape-sandbox allow-forms"></iframe>',
    )
  })
})
