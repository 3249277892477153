import { describe, expect, it } from 'vitest'
import { instanceOf, sent } from './instance'

const { run: announcements, orders, answers } = instanceOf('announcements')

describe('fieldfare announcements', () => {
  it('fieldfare announcements add sends text and times with the set-up token and prints the id', async () => {
    answers.push({ status: 200, body: { id: '12' } })
    const times = ['--from', '2026-12-24', '--until', '2026-12-26', '--publish', '2026-12-01T08:00Z']
    const { out, failed } = await announcements('add', 'A feast', ...times, '--all-day')
    const body = {
      text: 'A feast',
      starts_at: '2026-12-24',
      ends_at: '2026-12-26',
      all_day: true,
      publish_at: '2026-12-01T08:00Z',
    }
    expect(orders).toEqual([sent('POST', 'announcements', body)])
    expect([failed, out.trim()]).toEqual([false, 'Announced as 12.'])
  })

  it('fieldfare announcements remove sends the id', async () => {
    const { out } = await announcements('remove', '12', '--yes')
    expect(orders).toEqual([sent('DELETE', 'announcements/12')])
    expect(out.trim()).toBe('12 is gone.')
  })

  it('fieldfare announcements list has a line for each, the oldest first', async () => {
    const one = { id: '12', text: 'A feast', starts_at: null, ends_at: null, published_at: 'today' }
    answers.push({
      status: 200,
      body: [{ ...one, starts_at: 'then', ends_at: 'later' }, one],
    })
    const { out } = await announcements('list')
    expect(out.split('\n')).toEqual(['12  today  -  A feast', '12  today  then to later  A feast', ''])
    answers.push({ status: 200, body: [] })
    expect((await announcements('list')).out.trim()).toBe('Nothing was announced yet.')
  })

  it('fails with the reason of a refusal', async () => {
    answers.push({ status: 422, body: { error: 'Validation failed: text is too short' } })
    const { failed, problem } = await announcements('add', '')
    expect([failed, problem]).toEqual([true, expect.stringContaining('refused (422): Validation failed')])
  })

  it.each([[[]], [['add']], [['remove']], [['list', 'all']], [['add', 'a', 'feast']]])(
    'explains itself to %j and sends nothing',
    async (words) => {
      const { failed, problem } = await announcements(...words)
      expect([failed, orders]).toEqual([true, []])
      expect(problem).toContain('npx fieldfare announcements')
    },
  )
})
