import { describe, expect, it } from 'vitest'
import { instanceOf } from './instance'

const sent = (path: string, body: object) => ({ path: `/setup/${path}`, token: 'Bearer secret', body })

describe('fieldfare invites', () => {
  const { run: invites, orders, answers } = instanceOf('invites')
  const invite = {
    username: 'ada',
    state: 'usable',
    uses: 1,
    max_uses: null,
    expires_at: null,
    url: 'https://x',
  }

  it('list goes through every page', async () => {
    answers.push({ status: 200, body: { invites: [{ id: '9', ...invite }], next: '9' } })
    answers.push({ status: 200, body: { invites: [{ id: '8', ...invite, max_uses: 5 }], next: null } })
    expect((await invites('list')).out.trim().split('\n')).toEqual([
      '9  ada  usable  1 of any  no end  https://x',
      '8  ada  usable  1 of 5  no end  https://x',
    ])
    expect(orders).toEqual([sent('invites/list', { before: null }), sent('invites/list', { before: '9' })])
  })

  it('expire names the id, expire-all says how many there were', async () => {
    expect((await invites('expire', '9', '--yes')).out.trim()).toBe('9 is expired.')
    answers.push({ status: 200, body: { expired: 3 } })
    expect((await invites('expire-all', '--yes')).out.trim()).toBe('3 expired.')
    expect(orders).toEqual([sent('invites/expire', { id: '9' }), sent('invites/expire-all', {})])
  })

  it.each([[[]], [['expire']], [['expire-all', '9']], [['list', 'all']]])(
    'explains itself to %j and sends nothing',
    async (words) => {
      const { failed, problem } = await invites(...words)
      expect([failed, orders]).toEqual([true, []])
      expect(problem).toContain('npx fieldfare invites')
    },
  )
})

describe('fieldfare roles', () => {
  const { run: roles, orders, answers } = instanceOf('roles')

  it.each([
    [
      ['add', 'Judges', '--permissions', 'manage_reports, manage_users', '--position', '7'],
      'roles/add',
      { name: 'Judges', permissions: ['manage_reports', 'manage_users'], position: 7 },
    ],
    [
      ['change', 'Judges', '--two-factor', 'yes', '--highlighted', 'no', '--rename', 'Umpires'],
      'roles/change',
      { name: 'Judges', require_two_factor: true, highlighted: false, rename: 'Umpires' },
    ],
    [['change', 'everyone', '--permissions', ''], 'roles/change', { name: 'everyone', permissions: [] }],
    [['remove', 'Judges', '--yes'], 'roles/remove', { name: 'Judges' }],
  ] as const)('%j sends what it says with the set-up token', async (words, path, body) => {
    expect((await roles(...words)).failed).toBe(false)
    expect(orders).toEqual([sent(path, body)])
  })

  it('list has a line for each', async () => {
    const role = { id: '3', name: 'Judges', position: 7, permission_names: ['manage_reports'] }
    const list = [
      { ...role, require_two_factor: true },
      { ...role, id: '-99', name: '', position: -1, permission_names: [], require_two_factor: false },
    ]
    answers.push({ status: 200, body: { roles: list } })
    expect((await roles('list')).out.trim().split('\n')).toEqual([
      'Judges  7  manage_reports  two-factor',
      'everyone  -1  no permissions',
    ])
  })

  it.each([
    [[]],
    [['add']],
    [['change', 'Judges']],
    [['add', 'Judges', '--two-factor', 'maybe']],
    [['remove', 'Judges', '--color', '#aabbcc']],
  ])('explains itself to %j and sends nothing', async (words) => {
    const { failed, problem } = await roles(...words)
    expect([failed, orders]).toEqual([true, []])
    expect(problem).toContain('npx fieldfare roles')
  })
})

describe('fieldfare audit-log', () => {
  const { run: auditLog, orders, answers } = instanceOf('audit-log')
  const entry = {
    id: '4',
    created_at: 'today',
    username: '',
    action: 'update',
    target_type: 'settings',
    target_id: null,
    target_label: 'title',
    before: {},
    after: { title: 'Hedge' },
  }

  it('prints the last page, or all of them', async () => {
    answers.push({ status: 200, body: { entries: [entry], next: '4' } })
    expect((await auditLog('list')).out.trim()).toBe(
      'today  the operator  update  settings  title  {"title":"Hedge"}',
    )
    expect(orders).toEqual([sent('audit-log/list', { before: null })])
    answers.push({ status: 200, body: { entries: [entry], next: '4' } })
    answers.push({ status: 200, body: { entries: [{ ...entry, username: 'ada', after: {} }], next: null } })
    expect((await auditLog('list', '--all')).out.trim().split('\n')[1]).toBe(
      'today  ada  update  settings  title',
    )
    expect(orders.at(-1)).toEqual(sent('audit-log/list', { before: '4' }))
  })

  it('narrows it down, and prints entries as they are', async () => {
    answers.push({ status: 200, body: { entries: [entry], next: null } })
    const { out } = await auditLog('list', '--type', 'settings', '--id', '7', '--json')
    expect(JSON.parse(out)).toEqual({ entries: [entry] })
    expect(orders).toEqual([sent('audit-log/list', { type: 'settings', id: '7', before: null })])
  })

  it.each([[[]], [['list', 'all']], [['list', '--id', '7']], [['list', '--by', 'ada', '--type', 'rule']]])(
    'explains itself to %j and sends nothing',
    async (words) => {
      const { failed, problem } = await auditLog(...words)
      expect([failed, orders]).toEqual([true, []])
      expect(problem).toContain('npx fieldfare audit-log')
    },
  )
})
