import { describe, expect, it } from 'vitest'
import { findFieldLinks, renderFieldValue, renderPlainText } from '../../../src/contract/text/render'
import { hashtagHtml, links, mentionHtml, urlHtml } from './links'

it('writes a biography like a plain status', () => {
  expect(renderPlainText('I am @alice\n\n#birds <3', links)).toBe(
    `<p>I am ${mentionHtml('alice')}</p><p>${hashtagHtml('birds')} &lt;3</p>`,
  )
})

describe('renderFieldValue', () => {
  it.each([
    ['text without a paragraph', ' they/them & <co> ', 'they/them &amp; &lt;co&gt;'],
    ['several lines as one', 'a\n b\r\n\nc', 'a b c'],
    ['a link that claims its page', 'https://a.test', urlHtml('a.test', 'nofollow noopener noreferrer me')],
    ['the host of a remote account', '@bob@b.test', mentionHtml('bob', 'b.test', 'bob@b.test')],
    ['a local account by its name', '@alice', mentionHtml('alice')],
    [
      'a chat address',
      'xmpp:me@a.test、',
      '<a href="xmpp:me@a.test" target="_blank" rel="nofollow noopener noreferrer me" translate="no"><span class="invisible">xmpp:</span><span class="">me@a.test</span><span class="invisible"></span></a>、',
    ],
    [
      'an address of Gemini with its scheme',
      'gemini://a.test',
      '<a href="gemini://a.test" target="_blank" rel="nofollow noopener noreferrer me" translate="no"><span class="invisible"></span><span class="">gemini://a.test</span><span class="invisible"></span></a>',
    ],
    ['nothing', '', ''],
  ])('renderFieldValue writes %s', (_what, text, html) => {
    expect(renderFieldValue(text, links)).toBe(html)
  })
})

describe('findFieldLinks', () => {
  it.each([
    ['https://a.test', 'https://a.test'],
    [' https://A.test/about?x=1#y ', 'https://A.test/about?x=1#y'],
    ['http://a.test', null],
    ['see https://a.test', null],
    ['https://a.test https://b.test', null],
    ['https://bücher.test', null],
    ['https://📙.test', null],
    ['gemini://a.test', null],
    ['https://a.test/x】', null],
    ['https://me:pw@a.test/', null],
    ['a.test', null],
    ['', null],
  ])('finds in %j the link %j', (value, link) => {
    expect(findFieldLinks([value])).toEqual([link])
  })

  it('returns a link for each value in its place', () => {
    expect(findFieldLinks(['x', 'https://a.test', 'https://b.test'])).toEqual([
      null,
      'https://a.test',
      'https://b.test',
    ])
  })
})
