import { describe, expect, it } from 'vitest'
import type { FilterRule } from '../../../../src/contract/filters'
import { type Filterable, isHiddenIn } from '../../../../src/contract/filters'
import { normaliseHashtag } from '../../../../src/contract/text/hashtag'
import { CompiledFilters } from '../../../../src/domain/policy/filters/compiled'
import { sanitisedHtmlToText } from '../../../../src/domain/policy/filters/keyword-index'

const now = new Date('2026-11-01T12:00:00Z')

function rule(
  keywords: readonly string[],
  more: Partial<FilterRule> & { readonly wholeWord?: boolean } = {},
) {
  const { wholeWord = true, ...rest } = more
  return {
    id: 1,
    title: 'x',
    contexts: ['home'],
    action: 'warn',
    expiresAt: null,
    statuses: [],
    keywords: keywords.map((keyword, index) => ({ id: index + 1, keyword, wholeWord })),
    ...rest,
  } satisfies FilterRule
}

function status(content: string, more: Partial<Filterable> = {}): Filterable {
  return { ids: [1], content, spoilerText: '', pollOptions: [], descriptions: [], tags: [], ...more }
}

function found(keyword: string, text: string, wholeWord = true): boolean {
  return new CompiledFilters([rule([keyword], { wholeWord })]).match(status(text), now).length > 0
}

/** Keyword, text, found as a whole word, found as any part. */
const words: readonly (readonly [string, string, boolean, boolean])[] = [
  ['cat', 'a cat sat', true, true],
  ['cat', 'cat', true, true],
  ['cat', 'concatenate', false, true],
  ['cat', 'catalogue of cats', false, true],
  ['cat', 'catalogue, cat', true, true],
  ['CAT', 'my cAt!', true, true],
  ['cat', 'dog', false, false],
  ['cat', 'snake_cat', false, true],
  ['cat', 'cat2', false, true],
  ['cat', '«cat»', true, true],
  ['cat', 'cat-like', true, true],
  ['cat', 'the_cat_', false, true],
  ['bird', "a bird's nest", true, true],
  ['bird', 'a bird’s nest', true, true],
  ["don't", 'they don’t sing', true, true],
  ['don’t', "they don't sing", true, true],
  ['l‘avion', 'l’avion', true, true],
  ['o\u02bcbrien', "O'Brien", true, true],
  ['"song birds"', 'so-called “song birds” here', true, true],
  ['"song birds"', 'so-called «song birds» here', true, true],
  ['„song birds“', 'so-called "song birds" here', true, true],
  ["don't", 'they dont sing', false, false],
  ['avion', "l'avion", true, true],
  ["can't", "I can't.", true, true],
  ['$5', 'only $5!', true, true],
  ['$5', 'US$5', true, true],
  ['$5', 'only $50', false, true],
  ['c++', 'I write c++17', true, true],
  ['café', 'CAFÉ au lait', true, true],
  ['caf', 'café', false, true],
  ['cafe', 'café', false, false],
  ['café', 'cafe', false, false],
  // Composed and decomposed, both ways.
  ['caf\u00e9', 'cafe\u0301', true, true],
  ['cafe\u0301', 'caf\u00e9', true, true],
  ['e', 'e\u0323', false, false],
  ['g', 'g\u0303', false, true],
  ['straße', 'STRASSE', true, true],
  ['ΟΔΟΣ', 'οδος', true, true],
  ['οδός', 'ΟΔΌΣ', true, true],
  ['ｃａｔ', 'cat', true, true],
  ['cat', 'ＣＡＴ', true, true],
  ['слово', 'Словоформа', false, true],
  ['слово', '— Слово!', true, true],
  // No spaces between words: each letter has a boundary beside it.
  ['日本', '日本語を学ぶ', true, true],
  ['AI', '生成AIは便利', true, true],
  ['猫', 'この猫が好き', true, true],
  ['แมว', 'ฉันรักแมวมาก', true, true],
  // The vowel sign belongs to the letter.
  ['ก', 'กิน', false, true],
  ['👨', '👨‍👩', true, true],
  ['ن', 'ن‍ن', false, true],
  // Katakana and Hangul words hold together.
  ['カメ', 'カメラ', false, true],
  ['カメ', 'ウミのカメだ', true, true],
  ['ｶﾒﾗ', 'カメラ', true, true],
  ['ラ', 'ラー', false, true],
  ['한국', '한국은', false, true],
  ['한국', '한국 사람', true, true],
  ['🐦', 'birds🐦birds', true, true],
  ['❤️', 'love ❤', true, true],
  ['❤', 'love ❤️!', true, true],
  ['👍', 'ok 👍🏽', true, true],
  ['x', '😀x😀', true, true],
  ['𝔵', 'an x', true, true],
  ['𐐨', '𐐀𐐨', false, true],
  ['soft', 'so\u00adft', true, true],
  ['night heron', 'a Night\u00a0 Heron', true, true],
  ['night  heron', 'a night heron', true, true],
  ['night heron', 'nightheron', false, false],
  ['night heron', 'midnight heron', false, true],
  [':blobcat:', 'so :blobcat:', true, true],
  ['@alice', 'hello @alice', true, true],
  ['#cat', 'see #cat here', true, true],
  ['#cat', 'see #caturday', false, true],
  ['#猫', '#猫好き', false, true],
  ['cat', 'see #cat', true, true],
  ['cat', 'see #caturday', false, true],
  // No character has a special meaning.
  ['.*', 'anything', false, false],
  ['.*', 'a .* b', true, true],
  ['(a+)+$', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', false, false],
  ['[', 'a [ b', true, true],
  ['\\', 'a \\ b', true, true],
  ['^a', 'a', false, false],
]

describe('a keyword', () => {
  it.each(words)('%s in "%s": whole %s, part %s [T-655]', (keyword, text, whole, part) => {
    expect({ whole: found(keyword, text), part: found(keyword, text, false) }).toEqual({ whole, part })
  })

  it.each(['', ' ', '\u00ad', '\n\t'])('an empty keyword matches nothing (%j)', (keyword) => {
    expect(found(keyword, 'a b \u00ad', false)).toBe(false)
  })

  it('matches no text that nearly contains a hundred of the longest keywords', () => {
    const nearly = Array.from({ length: 100 }, (_, index) => `${'ab'.repeat(254)}${index}`)
    const filters = new CompiledFilters([rule([...nearly, 'ba!'])])
    const text = `${'ab'.repeat(2_500)}a!`
    expect(filters.match(status(text), now)).toEqual([])
  })

  it('matches a keyword of ten thousand letters', () => {
    const long = 'heron '.repeat(2_000)
    expect(found(long, `a ${long} b`)).toBe(true)
    expect(found(`${long}c`, `a ${long} b`)).toBe(false)
  })
})

describe('the text of a status', () => {
  const filters = new CompiledFilters([rule(['heron'])])
  const places: Readonly<Record<string, Partial<Filterable>>> = {
    'the text': { content: '<p>A <strong>her</strong>on</p>' },
    'the warning': { spoilerText: 'Heron' },
    'an option of the poll': { pollOptions: ['coot', 'heron'] },
    'the description of a picture': { descriptions: [null, 'a grey heron'] },
    'a hashtag that is not in the text': { tags: [{ name: 'heron', display: 'Heron' }] },
  }
  for (const [place, more] of Object.entries(places))
    it(`the text of a status includes ${place}`, () => {
      expect(filters.match(status('', more), now)).toMatchObject([{ keywords: ['heron'], statusIds: [] }])
    })

  it('excludes link addresses and markup', () => {
    const link = '<p><a href="https://heron.example/heron" class="heron">there</a></p>'
    expect(filters.match(status(link), now)).toEqual([])
  })

  it('includes the text of a link, even in pieces', () => {
    const link =
      '<a href="https://x.example"><span class="invisible">https://</span><span>x.exa</span><span>mple/heron</span></a>'
    expect(found('x.example/heron', link)).toBe(true)
  })

  it('matches across a line break, and not across paragraphs or parts', () => {
    expect(found('night heron', '<p>night<br />heron</p>')).toBe(true)
    expect(found('night heron', '<p>night</p><p>heron</p>')).toBe(false)
    const parts = status('heron', { spoilerText: 'night', pollOptions: ['night', 'heron'] })
    expect(new CompiledFilters([rule(['night heron'])]).match(parts, now)).toEqual([])
  })

  it('the text of a status decodes entities', () => {
    expect(
      sanitisedHtmlToText(
        '<p>a &amp; b &lt;i&gt; &quot;c&quot; &#39;d&#x27; &nbsp;&unknown; &#99999999;</p>',
      ),
    ).toBe(`\na & b <i> "c" 'd' \u0020&unknown; &#99999999;\n`)
  })

  it('matches a hashtag in all its spellings', () => {
    const tagged = (display: string) => status('', { tags: [{ name: normaliseHashtag(display), display }] })
    const cafe = new CompiledFilters([rule(['#cafe'])])
    for (const spelling of ['cafe', 'Café', 'CAFE']) expect(cafe.match(tagged(spelling), now)).toHaveLength(1)
    expect(cafe.match(tagged('cafeteria'), now)).toEqual([])
  })
})

describe('matches', () => {
  it('matches of filters name each filter once, with all its keywords as they were written, in order', () => {
    const birds = rule(['Heron', 'coot', 'Grebe'], { id: 7 })
    const other = rule(['fish'], { id: 8 })
    const again = rule(['HERON'], { id: 9 })
    const matches = new CompiledFilters([birds, other, again]).match(status('grebe, heron and HERON'), now)
    expect(matches).toEqual([
      { rule: birds, keywords: ['Heron', 'Grebe'], statusIds: [] },
      { rule: again, keywords: ['HERON'], statusIds: [] },
    ])
  })

  it('matches are by id as well: of the status and of the reblogged one', () => {
    const some = rule([], {
      statuses: [
        { id: 5, statusId: 42 },
        { id: 6, statusId: 43 },
      ],
    })
    const filters = new CompiledFilters([some])
    expect(filters.match(status('', { ids: [41, 42] }), now)).toEqual([
      { rule: some, keywords: [], statusIds: [42] },
    ])
    expect(filters.match(status('', { ids: [44] }), now)).toEqual([])
  })

  it('matches of filters end with the filter, to the millisecond', () => {
    const over = new CompiledFilters([rule(['heron'], { expiresAt: now })])
    expect(over.match(status('heron'), now)).toEqual([])
    expect(over.match(status('heron'), new Date(now.getTime() - 1))).toHaveLength(1)
  })

  it('matches of filters hide in the contexts of the filter, and only with the action hide', () => {
    const match = (more: Partial<FilterRule>) => [{ rule: rule([], more), keywords: ['x'], statusIds: [] }]
    expect(isHiddenIn('home', match({ action: 'hide' }))).toBe(true)
    expect(isHiddenIn('thread', match({ action: 'hide' }))).toBe(false)
    expect(isHiddenIn('home', match({ action: 'warn' }))).toBe(false)
    expect(isHiddenIn('home', match({ action: 'blur' }))).toBe(false)
  })
})
