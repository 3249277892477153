import { describe, expect, it } from 'vitest'
import type { Filterable, FilterContext } from '../../src/contract/filters'
import { CompiledFilters } from '../../src/domain/policy/filters/compiled'

/**
 * CPU of a page of 40 statuses against 100 keywords, which every page of a member with filters costs on top: so many times as
 * much as writing the page as JSON and reading it again.
 */
const mostOfJson = 99
const turns = 100

declare module 'vitest' {
  interface TaskMeta {
    /** Milliseconds of the work and of its yardstick. Read by scripts/bench/run.mjs out of the JSON report. */
    filters?: { readonly milliseconds: number; readonly ofJson: number }
  }
}

/** Milliseconds of one call. The fastest round shows what the work costs; the others show what else the machine did. */
function fastest(work: () => void): number {
  const rounds = Array.from({ length: 12 }, () => {
    const before = performance.now()
    for (let turn = 0; turn < turns; turn += 1) work()
    return (performance.now() - before) / turns
  })
  return Math.min(...rounds)
}

const vocabulary = [
  'the',
  'of',
  'and',
  'to',
  'in',
  'is',
  'you',
  'that',
  'it',
  'was',
  'for',
  'on',
  'are',
  'with',
  'his',
  'they',
  'this',
  'have',
  'from',
  'one',
  'had',
  'word',
  'but',
  'not',
  'what',
  'were',
  'there',
  'each',
  'which',
  'their',
  'about',
  'many',
  'then',
  'these',
  'some',
  'would',
  'other',
  'into',
  'more',
  'number',
  'could',
  'people',
  'than',
  'first',
  'water',
  'been',
  'called',
  'find',
  'long',
  'down',
  'morning',
  'weather',
  'harbour',
  'bridge',
  'window',
]

function text(seed: number, count: number): string {
  let state = seed * 2_654_435_761
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return vocabulary[state % vocabulary.length] ?? ''
  }
  return Array.from({ length: count }, next).join(' ')
}

/** Text of about 400 letters with links and a hashtag; every fourth with accents, which are dearer to compare. */
function status(index: number): Filterable {
  const accents = index % 4 === 0 ? ' — très « élégant », naïve Ελλάδα' : ''
  return {
    ids: [index],
    content: `<p>${text(index, 30)} &amp; ${text(index + 100, 20)}${accents}</p><p><a href="https://example.com/@x" class="u-url mention">@<span>x</span></a> <a href="https://example.com/tags/birds" rel="tag">#<span>birds</span></a><br />${text(index + 200, 20)}</p>`,
    spoilerText: index % 3 === 0 ? text(index, 4) : '',
    pollOptions: index % 5 === 0 ? ['yes', 'no', 'perhaps'] : [],
    descriptions: [text(index, 12)],
    tags: [{ name: 'birds', display: 'birds' }],
  }
}

describe('costs of filters', () => {
  const page = Array.from({ length: 40 }, (_, index) => status(index + 1))
  const beginnings = [
    '#birds of',
    'wordy',
    'première',
    'the oil',
    '猫',
    'weathered',
    'night heron',
    'x',
    'bridges',
    '🐦',
  ]
  const keywords = Array.from({ length: 100 }, (_, id) => ({
    id,
    wholeWord: id % 2 === 0,
    keyword: `${beginnings[id % beginnings.length]}${id}`,
  }))
  const context: FilterContext = 'home'
  const rule = { title: 'x', contexts: [context], action: 'warn' as const, expiresAt: null, statuses: [] }
  const filters = new CompiledFilters([
    { ...rule, id: 1, keywords },
    { ...rule, id: 2, keywords: [{ id: 200, keyword: 'long down', wholeWord: true }] },
  ])
  const now = new Date(0)
  const matchPage = () => page.reduce((sum, each) => sum + filters.match(each, now).length, 0)

  it(`matching a page of 40 against 100 keywords takes less than ${mostOfJson} times its JSON`, ({
    task,
  }) => {
    const milliseconds = fastest(matchPage)
    const ofJson = milliseconds / fastest(() => JSON.parse(JSON.stringify(page)))
    task.meta.filters = { milliseconds, ofJson }
    expect(ofJson).toBeLessThan(mostOfJson)
  })
})
