import { describe, expect, it } from 'vitest'
import { instanceOf, sent } from './instance'

const { run: trends, orders, answers } = instanceOf('trends')

describe('fieldfare trends', () => {
  it.each([
    ['approve', true, 'tag birds may trend.'],
    ['reject', false, 'tag birds trends no more.'],
  ])('%s sends kind and id with the set-up token', async (command, trendable, words) => {
    const { out, failed } = await trends(command, 'tag', 'birds')
    const body = { what: 'tag', key: 'birds', trendable }
    expect(orders).toEqual([sent('POST', 'trends/review', body)])
    expect([failed, out.trim()]).toEqual([false, words])
  })

  it('hashtag sends changed values', async () => {
    const words = ['birds', '--listable', 'no', '--usable', 'yes', '--spelling', 'Birds']
    answers.push({ status: 200, body: { id: '7', name: 'birds' } })
    expect((await trends('hashtag', ...words)).out.trim()).toBe('The hashtag birds is changed.')
    const body = { listable: false, usable: true, display_name: 'Birds' }
    const change = sent('PUT', '/api/v1/admin/tags/7', body)
    expect(orders).toEqual([sent('GET', 'tags/lookup?name=birds'), change])
  })

  it('refresh requests a new count', async () => {
    expect((await trends('refresh')).out.trim()).toBe('The trends are counted anew.')
    expect(orders).toEqual([sent('POST', 'trends/refresh')])
  })

  it('fieldfare trends list has a line for each', async () => {
    const tag = { key: 'birds', of: null, words: null, shown: true, reviewed: true }
    const status = { key: '12', of: 'wren', words: 'It sings', shown: false, reviewed: false }
    answers.push({ status: 200, body: { tags: [tag], statuses: [status], links: [] } })
    const { out } = await trends('list')
    expect(out.split('\n')).toEqual([
      'tag  birds  shown',
      'status  12  hidden, not looked at  wren  It sings',
      '',
    ])
    answers.push({ status: 200, body: { tags: [], statuses: [], links: [] } })
    expect((await trends('list')).out.trim()).toBe('Nothing trends.')
  })

  it('fails with the reason of a refusal', async () => {
    answers.push({ status: 404, body: { error: 'Record not found' } })
    const { failed, problem } = await trends('approve', 'status', '7')
    expect([failed, problem]).toEqual([true, expect.stringContaining('refused (404): Record not found')])
  })

  it.each([
    [[]],
    [['approve', 'tag']],
    [['hashtag', 'birds']],
    [['hashtag', 'birds', '--usable', 'maybe']],
    [['approve', 'tag', 'birds', '--usable', 'no']],
    [['approve', 'mood', 'x']],
    [['list', 'all']],
    [['reject', 'tag', 'a', 'b']],
  ])('explains itself to %j and sends nothing', async (words) => {
    const { failed, problem } = await trends(...words)
    expect([failed, orders]).toEqual([true, []])
    expect(problem).toContain('npx fieldfare trends')
  })
})
