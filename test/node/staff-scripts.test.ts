import { describe, expect, it } from 'vitest'
import { instanceOf, sent } from './instance'

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

  it('fieldfare invites list reads every page', async () => {
    const next = '/api/fieldfare/v1/admin/invites?limit=100&max_id=9'
    answers.push({ status: 200, body: [{ id: '9', ...invite }], next })
    answers.push({ status: 200, body: [{ id: '8', ...invite, max_uses: 5 }] })
    expect((await invites('list')).out.trim().split('\n')).toEqual([
      '9  ada  usable  1 of any  no end  https://x',
      '8  ada  usable  1 of 5  no end  https://x',
    ])
    expect(orders).toEqual([sent('GET', 'invites?limit=100'), sent('GET', next)])
  })

  it('fieldfare invites expire names the id, expire-all prints how many there were', async () => {
    expect((await invites('expire', '9', '--yes')).out.trim()).toBe('9 is expired.')
    answers.push({ status: 200, body: { expired: 3 } })
    expect((await invites('expire-all', '--yes')).out.trim()).toBe('3 expired.')
    expect(orders).toEqual([sent('POST', 'invites/9/expire'), sent('POST', 'invites/expire_all')])
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

  const known = [
    { id: '3', name: 'Judges' },
    { id: '-99', name: '' },
  ]

  it('fieldfare roles add sends what it says with the set-up token', async () => {
    const words = ['--permissions', 'manage_reports, manage_users', '--position', '7']
    expect((await roles('add', 'Judges', ...words)).failed).toBe(false)
    const body = { name: 'Judges', permissions: ['manage_reports', 'manage_users'], position: 7 }
    expect(orders).toEqual([sent('POST', 'roles', body)])
  })

  it.each([
    [
      ['change', 'judges', '--two-factor', 'yes', '--highlighted', 'no', '--rename', 'Umpires'],
      sent('PUT', 'roles/3', { require_two_factor: true, highlighted: false, name: 'Umpires' }),
    ],
    [['change', 'everyone', '--permissions', ''], sent('PUT', 'roles/-99', { permissions: [] })],
    [['remove', 'Judges', '--yes'], sent('DELETE', 'roles/3')],
  ])('%j finds the role by its name', async (words, order) => {
    answers.push({ status: 200, body: known })
    expect((await roles(...words)).failed).toBe(false)
    expect(orders).toEqual([sent('GET', 'roles'), order])
  })

  it('fieldfare roles change of an unknown role fails, and changes nothing', async () => {
    answers.push({ status: 200, body: known })
    const { code, problem } = await roles('change', 'Umpires', '--position', '7')
    expect([code, problem]).toEqual([1, expect.stringContaining('There is no role Umpires.')])
    expect(orders).toEqual([sent('GET', 'roles')])
  })

  it('fieldfare roles list has a line for each', async () => {
    const role = { id: '3', name: 'Judges', position: 7, permission_names: ['manage_reports'] }
    const list = [
      { ...role, require_two_factor: true },
      { ...role, id: '-99', name: '', position: -1, permission_names: [], require_two_factor: false },
    ]
    answers.push({ status: 200, body: list })
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
    const page = { status: 200, body: [entry], next: '/api/fieldfare/v1/admin/audit_log?limit=100&max_id=4' }
    answers.push({ ...page, body: Array.from({ length: 100 }, () => entry) })
    expect((await auditLog('list')).out.split('\n')[99]).toBe(
      'today  the operator  update  settings  title  {"title":"Hedge"}',
    )
    expect(orders).toEqual([sent('GET', 'audit_log?limit=100')])
    answers.push(page, { status: 200, body: [{ ...entry, username: 'ada', after: {} }] })
    expect((await auditLog('list', '--all')).out.trim().split('\n')[1]).toBe(
      'today  ada  update  settings  title',
    )
    expect(orders.at(-1)).toEqual(sent('GET', page.next))
  })

  it('filters, and prints entries as they are', async () => {
    answers.push({ status: 200, body: [entry] })
    const { out } = await auditLog('list', '--type', 'settings', '--id', '7', '--json')
    expect(JSON.parse(out)).toEqual({ entries: [entry] })
    expect(orders).toEqual([sent('GET', 'audit_log?limit=100&target_type=settings&target_id=7')])
  })

  it('finds the moderator by name', async () => {
    answers.push({ status: 200, body: { id: '12' } }, { status: 200, body: [] })
    expect((await auditLog('list', '--by', 'ada')).out.trim()).toBe('Nothing was done yet.')
    const paths = ['accounts/lookup?acct=ada', 'audit_log?limit=100&account_id=12']
    expect(orders).toEqual(paths.map((path) => sent('GET', path)))
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
