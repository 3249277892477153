import { describe, expect, it } from 'vitest'
import { instanceOf, sent } from './instance'

const { run: blocks, orders, answers } = instanceOf('blocks')

describe('fieldfare blocks', () => {
  const paths = {
    network: '/api/v1/admin/ip_blocks',
    domain: '/api/v1/admin/email_domain_blocks',
    email: '/api/v1/admin/canonical_email_blocks',
    username: '/api/fieldfare/v1/admin/username_blocks',
  }

  it.each([
    [
      ['network', '192.0.2.0/24', '--severity', 'no_access', '--days', '7', '--comment', 'Spam'],
      { ip: '192.0.2.0/24', severity: 'no_access', comment: 'Spam', expires_in: 604_800 },
    ],
    [['network', '192.0.2.1'], { ip: '192.0.2.1', severity: 'sign_up_block' }],
    [['domain', 'bad.example', '--approval'], { domain: 'bad.example', allow_with_approval: true }],
    [['email', 'a@b.example'], { email: 'a@b.example' }],
    [['email', 'abc0'], { canonical_email_hash: 'abc0' }],
    [['username', 'bank', '--exact'], { username: 'bank', comparison: 'equals' }],
    [['username', 'bank'], { username: 'bank', comparison: 'contains' }],
  ] as const)('fieldfare blocks add %j sends the block with the set-up token', async (words, body) => {
    answers.push({ status: 200, body: { id: '7' } })
    const { out } = await blocks('add', ...words)
    expect(orders).toEqual([sent('POST', paths[words[0]], body)])
    expect(out.trim()).toBe(`Blocked: ${words[0]} ${words[1]}, with the id 7.`)
  })

  it('fieldfare blocks list has a line for each of every kind', async () => {
    const end = '2027-01-01T00:00:00.000Z'
    answers.set('GET', `${paths.network}?limit=200`, [
      { id: '6', ip: '192.0.2.0/24', severity: 'no_access', expires_at: end, comment: 'Spam' },
      { id: '5', ip: '192.0.2.1/32', severity: 'sign_up_block', expires_at: null, comment: '' },
    ])
    answers.set('GET', `${paths.domain}?limit=200`, [
      { id: '7', domain: 'bad.example', allow_with_approval: true },
    ])
    answers.set('GET', `${paths.email}?limit=200`, [{ id: '8', canonical_email_hash: 'abc0' }])
    answers.set('GET', `${paths.username}?limit=200`, [
      { id: '9', username: 'bank', comparison: 'contains', allow_with_approval: false },
    ])
    expect((await blocks('list')).out.trim().split('\n')).toEqual([
      `network  6  192.0.2.0/24  no_access  until ${end}  “Spam”`,
      'network  5  192.0.2.1/32  sign_up_block',
      'domain  7  bad.example  with approval',
      'email  8  abc0',
      'username  9  bank  contains  refused',
    ])
  })

  it('fieldfare blocks list says where nothing is blocked, remove names kind and id', async () => {
    answers.push(...Object.keys(paths).map(() => ({ status: 200, body: [] })))
    expect((await blocks('list')).out.trim()).toBe('Nothing is blocked.')
    expect((await blocks('remove', 'username', '9')).out.trim()).toBe('Lifted: username 9.')
    expect(orders.at(-1)).toEqual(sent('DELETE', `${paths.username}/9`))
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
