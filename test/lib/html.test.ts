import { describe, expect, it } from 'vitest'
import { escapeHtml, htmlToText, sanitiseHtml } from '../../src/lib/html'

const LINK = 'rel="nofollow noopener noreferrer" target="_blank"'

describe('sanitiseHtml', () => {
  it.each([
    ['a paragraph with breaks', '<p>one<br>two<br/>three</p>', '<p>one<br />two<br />three</p>'],
    [
      'inline elements',
      '<p><b>b</b><strong>c</strong><i>d</i><em>e</em><u>f</u><s>g</s><del>h</del><code>i</code><sub>j</sub><sup>k</sup><abbr>l</abbr></p>',
      '<p><b>b</b><strong>c</strong><i>d</i><em>e</em><u>f</u><s>g</s><del>h</del><code>i</code><sub>j</sub><sup>k</sup><abbr>l</abbr></p>',
    ],
    [
      'lists with their numbers',
      '<ol start="3" reversed><li value="9">a</li></ol><ul><li>b<ul><li>c</li></ul></li></ul>',
      '<ol start="3" reversed=""><li value="9">a</li></ol><ul><li>b<ul><li>c</li></ul></li></ul>',
    ],
    ['quotes and code', '<blockquote><p>q</p></blockquote><pre><code>a\n  b</code></pre>', null],
    ['ruby', '<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>', null],
    ['the quote fallback', '<p class="quote-inline">RE: x</p>', null],
  ])('sanitiseHtml keeps %s [T-658]', (_what, html, expected) => {
    expect(sanitiseHtml(html)).toBe(expected ?? html)
  })

  it.each([
    ['a paragraph', '<p class="quote-inline">RE: <a href="https://a.test">x</a></p><p>y</p>', '<p>y</p>'],
    ['a span', '<p>y<span class="x quote-inline"><br><br>RE: z</span></p>', '<p>y</p>'],
    ['what is never closed', '<p>y</p><p class="quote-inline">RE: <b>z', '<p>y</p>'],
    ['a script inside', '<p class="quote-inline"><script>x</script>z</p>y', 'y'],
  ])('leaves out the quote fallback on request: %s', (_what, html, expected) => {
    expect(sanitiseHtml(html, { withoutQuoteInline: true })).toBe(expected)
  })

  it('keeps a Mastodon mention, hashtag and shortened link recognisable [T-659]', () => {
    const mention =
      '<span class="h-card" translate="no"><a href="https://a.test/@b" class="u-url mention">@<span>b</span></a></span>'
    const hashtag = '<a href="https://a.test/tags/x" class="mention hashtag" rel="tag">#<span>x</span></a>'
    const shortened =
      '<a href="https://b.test" target="_blank" rel="nofollow noopener" translate="no"><span class="invisible">https://</span><span class="">b.test</span></a>'

    expect(sanitiseHtml(mention)).toBe(
      `<span class="h-card" translate="no"><a href="https://a.test/@b" class="u-url mention" ${LINK}>@<span>b</span></a></span>`,
    )
    expect(sanitiseHtml(hashtag)).toBe(
      `<a href="https://a.test/tags/x" class="mention hashtag" ${LINK}>#<span>x</span></a>`,
    )
    expect(sanitiseHtml(shortened)).toBe(
      `<a href="https://b.test" translate="no" ${LINK}><span class="invisible">https://</span><span>b.test</span></a>`,
    )
  })

  it('keeps only classes with a meaning [T-660]', () => {
    expect(
      sanitiseHtml('<span class="h-card p-name evil invisible ellipsis dt-x e-content z-x">x</span>'),
    ).toBe('<span class="h-card p-name invisible ellipsis dt-x e-content">x</span>')
  })

  it('keeps translate only with the value no [T-661]', () => {
    expect(sanitiseHtml('<span translate="yes">x</span><span translate="no">y</span>')).toBe(
      '<span>x</span><span translate="no">y</span>',
    )
  })

  it.each([
    'http',
    'https',
    'gemini',
    'gopher',
    'dat',
    'dweb',
    'ipfs',
    'ipns',
    'ssb',
    'xmpp',
    'magnet',
    'mailto',
    'HTTPS',
  ])('sanitiseHtml links to %s', (scheme) => {
    expect(sanitiseHtml(`<a href="${scheme}:x">y</a>`)).toBe(`<a href="${scheme}:x" ${LINK}>y</a>`)
  })

  it('turns headings into strong paragraphs', () => {
    expect(sanitiseHtml('<h1>One</h1><p>two</p><h6>Six</h6>')).toBe(
      '<p><strong>One</strong></p><p>two</p><p><strong>Six</strong></p>',
    )
  })

  it('does not join words where a block loses its tags', () => {
    expect(sanitiseHtml('<div>one</div><div>two</div>three<img alt="x">four')).toBe('one two three four')
  })

  it('sanitiseHtml escapes text again', () => {
    expect(sanitiseHtml('a & b &lt;c&gt; "d" &#39;e&#39; &copy;')).toBe(`a &amp; b &lt;c&gt; "d" 'e' ©`)
  })
})

describe('htmlToText', () => {
  it.each([
    ['paragraphs apart by a blank line', '<p>one</p><p>two</p>', 'one\n\ntwo'],
    ['br as a newline', '<p>one<br>two<br /><br />three</p>', 'one\ntwo\n\nthree'],
    ['entities decoded', '<p>a &amp; b &lt;c&gt; &eacute; &#128512;</p>', 'a & b <c> é 😀'],
    [
      'list items on lines',
      '<p>x</p><ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><p>y</p>',
      'x\n\na\nb\nc\n\ny',
    ],
    ['white space collapsed', '<p>\n  a\n  <b> b</b> c </p>', 'a b c'],
    ['white space kept in pre', '<pre>a\n  b</pre>', 'a\n  b'],
    [
      'a shortened link whole',
      '<a href="x"><span class="invisible">https://</span><span>a.test</span></a>',
      'https://a.test',
    ],
    ['no scripts', '<p>a</p><script>b</script><style>c</style>', 'a'],
    ['headings apart', '<h1>T</h1>text', 'T\n\ntext'],
    ['plain text unchanged', 'just text', 'just text'],
    ['nothing from nothing', '<p></p>', ''],
  ])('htmlToText gives %s', (_what, html, text) => {
    expect(htmlToText(html)).toBe(text)
  })
})

describe('escapeHtml', () => {
  it('escapes everything with a meaning in text or attributes', () => {
    expect(escapeHtml(`<a href="x" title='y'>&`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;')
  })
})
