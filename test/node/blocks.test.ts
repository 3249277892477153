import { describe, expect, it } from 'vitest'
import { instanceOf } from './instance'

const { run: blocks, orders, answers } = instanceOf('blocks')

describe('fieldfare blocks', () => {
  it.each([
    [
      ['network', '192.0.2.0/24', '--severity', 'no_access', '--days', '7', '--comment', 'Spam'],
      { severity: 'no_access', comment: 'Spam', days: 7 },
    ],
    [['domain', 'bad.example', '--approval'], { approval: true }],
    [['email', 'a@b.example'], {}],
    [['username', 'bank', '--exact'], { exact: true }],
  ])('add %j sends the block with the set-up token', async (words, more) => {
    answers.push({ status: 200, body: { id: '7' } })
    const { out } = await blocks('add', ...words)
    const body = { kind: words[0], of: words[1], ...more }
    expect(orders).toEqual([{ method: 'POST', path: '/setup/blocks/add', token: 'Bearer secret', body }])
    expect(out.trim()).toBe(`Blocked: ${words[0]} ${words[1]}, with the id 7.`)
  })

  it('list has a line for each, remove names kind and id', async () => {
    const one = { kind: 'username', id: '9', of: 'bank', words: ['contains', 'refused'] }
    answers.push({ status: 200, body: { blocks: [one] } })
    expect((await blocks('list')).out.trim()).toBe('username  9  bank  contains  refused')
    answers.push({ status: 200, body: { blocks: [] } })
    expect((await blocks('list')).out.trim()).toBe('Nothing is blocked.')
    expect((await blocks('remove', 'username', '9')).out.trim()).toBe('Lifted: username 9.')
    expect(orders.at(-1)).toMatchObject({ path: '/setup/blocks/remove', body: { kind: 'username', id: '9' } })
  })

  it.each([
    [[]],
    [['add', 'network']],
    [['add', 'mood', 'bad']],
    [['add', 'email', 'a@b.example', '--exact']],
    [['add', 'network', '192.0.2.1', '--days', 'soon']],
    [['remove', 'network', '1', '2']],
    [['list', 'network']],
  ])('explains itself to %j and sends nothing', async (words) => {
    const { failed, problem } = await blocks(...words)
    expect([failed, orders]).toEqual([true, []])
    expect(problem).toContain('npx fieldfare blocks')
  })
})
