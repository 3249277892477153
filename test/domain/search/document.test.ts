import { describe, expect, it } from 'vitest'
import { documentOf, type IndexableStatus, linkTrait } from '../../../src/domain/search/document'

const plain: IndexableStatus = {
  id: 7,
  accountId: 12,
  content: '',
  spoilerText: '',
  attachments: [],
  tags: [],
  language: null,
  sensitive: false,
  isReply: false,
  isQuote: false,
  pollOptions: null,
}
const documented = (more: Partial<IndexableStatus>) => documentOf({ ...plain, ...more })

describe('documentOf', () => {
  it('a document has the words of text, warning, poll and descriptions, without markup', () => {
    const { text } = documented({
      content:
        '<p>Tw<strong>o</strong> Wréns<br>&amp; a <a href="https://a.test/page">link</a></p><p>東京</p>',
      spoilerText: 'Birds',
      pollOptions: ['Rye', 'Oat'],
      attachments: [
        { type: 'image', description: 'A tree' },
        { type: 'image', description: null },
      ],
    })
    expect(text).toBe('birds two wrens a link 東京 京 rye oat a tree')
  })

  it('finds the operators of a query', () => {
    const { traits } = documented({
      content: '<p><a href="https://a.test">a.test</a></p>',
      language: 'pt-BR',
      attachments: [{ type: 'gifv', description: null }],
      tags: [{ name: 'wren_song' }],
      sensitive: true,
      isReply: true,
      isQuote: true,
      pollOptions: [],
    })
    expect(traits.split(' ')).toEqual([
      'f12',
      'lpt0',
      'xmedia0',
      'xvideo0',
      'xpoll0',
      'xlink0',
      'xreply0',
      'xquote0',
      'xsensitive0',
      'twrensong0',
      linkTrait('https://a.test'),
    ])
  })

  it('a document has each linked page once, and fifty at most', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => `<a href="https://a.test/${n >> 1}">x</a>`).join('')
    const content = `<a href="https://a.test/0#b">x</a><a href="gemini://a.test">x</a>${many}`
    const found = documented({ content })
      .traits.split(' ')
      .filter((trait) => trait.startsWith('u'))
    expect(found.slice(0, 2)).toEqual([linkTrait('https://a.test/0'), linkTrait('https://a.test/1')])
    expect(found).toHaveLength(49)
  })

  it('finds mentions and hashtags by their links', () => {
    const content =
      '<p><a href="https://a.test/@bob" class="u-url mention">@<span>bob</span></a> <a href="/tags/a" class="mention hashtag" rel="tag">#<span>a</span></a></p>'
    expect(documented({ content })).toEqual({ id: 7, text: 'bob a', traits: 'f12' })
  })

  it('documentOf limits its size, whatever a status contains', () => {
    const content = `<p>${'東京 tower '.repeat(50_000)}</p>`
    const { text } = documented({ content, spoilerText: 'x '.repeat(50_000) })
    expect(text.length).toBeLessThanOrEqual(8_000)
    expect(text.isWellFormed()).toBe(true)
  })
})
