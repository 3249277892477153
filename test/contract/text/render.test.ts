import { describe, expect, it } from 'vitest'
import { parseText } from '../../../src/contract/text/parse'
import { renderText } from '../../../src/contract/text/render'
import { hashtagHtml, links, mentionHtml, urlHtml } from './links'

function render(text: string): string {
  return renderText(parseText(text, 'text/plain'), links)
}

describe('renderText of plain text', () => {
  it.each([
    ['one paragraph', 'hello', '<p>hello</p>'],
    ['a newline', 'a\nb', '<p>a<br />b</p>'],
    ['a Windows newline', 'a\r\nb\r\n\r\nc', '<p>a<br />b</p><p>c</p>'],
    ['a blank line', 'a\n\nb', '<p>a</p><p>b</p>'],
    ['several blank lines', 'a\n\n\n\nb', '<p>a</p><p>b</p>'],
    ['a line of blanks', 'a\n \nb', '<p>a<br /> <br />b</p>'],
    ['white space around', '\n\n a \n\n', '<p>a</p>'],
    ['nothing', ' \n ', ''],
    [
      'markup',
      `<b onclick="x">'&amp;'</b>`,
      '<p>&lt;b onclick=&quot;x&quot;&gt;&#39;&amp;amp;&#39;&lt;/b&gt;</p>',
    ],
    ['blanks inside', 'a  b', '<p>a  b</p>'],
  ])('renderText of plain text writes %s', (_what, text, html) => {
    expect(render(text)).toBe(html)
  })

  it('writes a mention with the name of the account found', () => {
    expect(render('hi @alice, @bob@b.test')).toBe(
      `<p>hi ${mentionHtml('alice')}, ${mentionHtml('bob', 'b.test')}</p>`,
    )
  })

  it('leaves an unresolved mention as it was typed', () => {
    expect(render('@nobody @nobody@B.test')).toBe('<p>@nobody @nobody@B.test</p>')
  })

  it('adds the host where two accounts share a name', () => {
    expect(render('@alice @alice@b.test @bob@b.test')).toBe(
      `<p>${mentionHtml('alice')} ${mentionHtml('alice', 'b.test', 'alice@b.test')} ${mentionHtml('bob', 'b.test')}</p>`,
    )
  })

  it('renderText of plain text resolves each account once', () => {
    const asked: string[] = []
    const counting = {
      ...links,
      mention: (mention: { username: string; domain: string | null }) => {
        asked.push(mention.username)
        return links.mention(mention)
      },
    }

    renderText(parseText('@alice @ALICE @alice', 'text/plain'), counting)

    expect(asked).toEqual(['alice'])
  })

  it('writes a hashtag as typed, linked by its normalised name', () => {
    expect(render('#Crème #日本')).toBe(`<p>${hashtagHtml('creme', 'Crème')} ${hashtagHtml('日本')}</p>`)
  })

  it('shows a short address whole', () => {
    expect(render('https://a.test/x')).toBe(`<p>${urlHtml('a.test/x')}</p>`)
  })

  it('removes www. and everything after thirty characters', () => {
    expect(render('http://www.example.test/path/that/is/quite/long?x=1&y=2')).toBe(
      '<p><a href="http://www.example.test/path/that/is/quite/long?x=1&amp;y=2" target="_blank" rel="nofollow noopener noreferrer" translate="no">' +
        '<span class="invisible">http://www.</span><span class="ellipsis">example.test/path/that/is/quit</span>' +
        '<span class="invisible">e/long?x=1&amp;y=2</span></a></p>',
    )
  })

  it('cuts nothing at exactly thirty characters', () => {
    const shown = `a.test/${'x'.repeat(23)}`

    expect(render(`https://${shown}`)).toBe(`<p>${urlHtml(shown)}</p>`)
  })

  it('does not cut a character in two', () => {
    const html = render(`https://a.test/${'x'.repeat(22)}😀z`)

    expect(html).toContain(
      `<span class="ellipsis">a.test/${'x'.repeat(22)}😀</span><span class="invisible">z</span>`,
    )
  })

  it('escapes what the caller answers', () => {
    const hostile = {
      mention: () => ({ url: 'https://x.test/"><script>', username: '<i>', acct: '<i>' }),
      tagUrl: () => '"><script>',
    }

    expect(renderText(parseText('@a #b', 'text/plain'), hostile)).toBe(
      '<p><span class="h-card" translate="no"><a href="https://x.test/&quot;&gt;&lt;script&gt;" class="u-url mention">@<span>&lt;i&gt;</span></a></span> ' +
        '<a href="&quot;&gt;&lt;script&gt;" class="mention hashtag" rel="tag">#<span>b</span></a></p>',
    )
  })
})
