import { describe, expect, it } from 'vitest'
import { parseText } from '../../../src/contract/text/parse'
import { renderText } from '../../../src/contract/text/render'
import { sanitiseHtml } from '../../../src/lib/html'
import { hashtagHtml, links, mentionHtml, urlHtml } from './links'

const REL = 'target="_blank" rel="nofollow noopener noreferrer"'

function render(text: string): string {
  return renderText(parseText(text, 'text/markdown'), links)
}

const samples: readonly [what: string, text: string, html: string][] = [
  ['paragraphs and line breaks', 'a\nb\n\nc', '<p>a<br />b</p><p>c</p>'],
  ['headings', '# One\n\n### Two *em*', '<p><strong>One</strong></p><p><strong>Two <em>em</em></strong></p>'],
  [
    'emphasis',
    '**b** *i* _i_ ~~s~~ snake_case_word',
    '<p><strong>b</strong> <em>i</em> <em>i</em> <del>s</del> snake_case_word</p>',
  ],
  ['inline code', '`a < b`', '<p><code>a &lt; b</code></p>'],
  ['fenced code', '```js\na  <b>\n\nc\n```', '<pre><code>a  &lt;b&gt;\n\nc\n</code></pre>'],
  ['lists', '- a\n- b\n  1. c\n  2. d', '<ul><li>a</li><li>b<ol><li>c</li><li>d</li></ol></li></ul>'],
  ['loose lists', '- a\n\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
  ['the first number of a list', '5. a\n6. b', '<ol start="5"><li>a</li><li>b</li></ol>'],
  ['quotes', '> a\n> b', '<blockquote><p>a<br />b</p></blockquote>'],
  [
    'named links',
    '[a *b*](https://c.test/d "t")',
    `<p><a href="https://c.test/d" ${REL}>a <em>b</em></a></p>`,
  ],
  ['mail links', '[a](mailto:b@c.test)', `<p><a href="mailto:b@c.test" ${REL}>a</a></p>`],
  ['bare addresses', 'see https://a.test/_x_, ok', `<p>see ${urlHtml('a.test/_x_')}, ok</p>`],
  ['addresses in angle brackets', '<https://a.test/x>', `<p>${urlHtml('a.test/x')}</p>`],
  [
    'addresses inside emphasis',
    '**https://a.test** _https://b.test/c_',
    `<p><strong>${urlHtml('a.test')}</strong> <em>${urlHtml('b.test/c')}</em></p>`,
  ],
  [
    'mentions',
    '**@alice** @snake_case_@b.test',
    `<p><strong>${mentionHtml('alice')}</strong> ${mentionHtml('snake_case_', 'b.test')}</p>`,
  ],
  ['hashtags', '#tag_name_x ＃full', `<p>${hashtagHtml('tag_name_x')} ${hashtagHtml('full')}</p>`],
  ['hashtags at the start, which are no headings', '#tag\ntext', `<p>${hashtagHtml('tag')}<br />text</p>`],
  ['escaped signs as text', '\\#tag \\@alice \\*a\\*', '<p>#tag @alice *a*</p>'],
  [
    'raw HTML as text',
    '<b>x</b> <script>alert(1)</script>',
    '<p>&lt;b&gt;x&lt;/b&gt; &lt;script&gt;alert(1)&lt;/script&gt;</p>',
  ],
  [
    'a block of raw HTML as text',
    '<div onclick="x">\n\ny',
    '<p>&lt;div onclick=&quot;x&quot;&gt;</p><p>y</p>',
  ],
  [
    'unsafe links as text',
    '[a](javascript:b) [c](//d.test) [e](/f)',
    '<p>[a](javascript:b) [c](//d.test) [e](/f)</p>',
  ],
  ['dashes as text', 'a\n---\nb', '<p>a<br />---<br />b</p>'],
  ['footnotes as text', '[1]: https://a.test', `<p>[1]: ${urlHtml('a.test')}</p>`],
  ['indented lines as text', 'a\n\n    b', '<p>a</p><p>b</p>'],
  ['entities decoded once', '&copy; &amp;lt;', '<p>© &amp;lt;</p>'],
  ['nothing', ' \n', ''],
]

describe('renderText of Markdown', () => {
  it.each(samples)('renderText of Markdown writes %s', (_what, text, html) => {
    expect(render(text)).toBe(html)
  })

  it('writes nothing the sanitiser would remove', () => {
    const bare = (html: string) => html.replace(/ (?:rel|target|translate)="[^"]*"| class=""/g, '')

    for (const [, text] of samples) {
      const html = render(text)
      expect(bare(sanitiseHtml(html)).replace(/"/g, '&quot;')).toBe(bare(html).replace(/"/g, '&quot;'))
    }
  })

  it('finds nothing in code and link texts', () => {
    const parsed = parseText(
      '`@a #b https://c.test`\n\n```\n@d #e\n```\n\n[@f #g https://h.test](https://i.test)',
      'text/markdown',
    )

    expect(parsed).toMatchObject({ mentions: [], hashtags: [], urls: ['https://i.test'] })
  })

  it('finds each mention, hashtag and address once, in any position', () => {
    const parsed = parseText(
      '# @a #Tag\n\n- @A #tag https://b.test\n\n> [x](https://b.test) <https://c.test>',
      'text/markdown',
    )

    expect(parsed).toMatchObject({
      mentions: [{ username: 'a', domain: null }],
      hashtags: [{ name: 'tag', display: 'Tag' }],
      urls: ['https://b.test', 'https://c.test'],
    })
  })

  it('survives deep nesting and unclosed markup', () => {
    for (const part of [
      '> ',
      '[',
      '*a ',
      '**',
      '`',
      '![',
      '_@a',
      '~~',
      '<',
      '- ',
      '](',
      '[a](',
      'https://a.b/',
    ]) {
      // Read once for each character, it would take minutes.
      expect(render(part.repeat(20_000))).not.toMatch(
        /<(?!\/?(?:p|pre|span|a|del|code|strong|em|ul|li|blockquote|br)\b)/,
      )
    }
  })
})
