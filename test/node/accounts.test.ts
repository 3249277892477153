import { describe, expect, it } from 'vitest'
import { instanceOf, sent } from './instance'

const { run: accounts, orders, answers } = instanceOf('accounts')

const ada = {
  id: '12',
  username: 'ada',
  email: 'ada@mail.test',
  confirmed: true,
  approved: false,
  disabled: false,
  suspended: false,
  role: { id: '-99', name: '' },
  invite_request: 'I watch birds',
  created_at: '2026-11-01T12:00:00.000Z',
}

/** Acts that are asked about. */
const asking = new Set(['reject', 'disable', 'delete'])
const lookup = sent('GET', 'accounts/lookup?acct=ada')
const found = () => answers.set('GET', '/api/fieldfare/v1/admin/accounts/lookup?acct=ada', { id: '12' })
const act = (command: string, ...words: string[]) =>
  accounts(command, 'ada', ...words, ...(asking.has(command) ? ['--yes'] : []))

describe('fieldfare accounts', () => {
  it.each([
    ['approve', 'POST', '/api/v1/admin/accounts/12/approve', 'ada is approved.'],
    ['reject', 'POST', '/api/v1/admin/accounts/12/reject', 'ada is rejected.'],
    ['enable', 'POST', '/api/v1/admin/accounts/12/enable', 'ada is enabled.'],
    ['delete', 'DELETE', '/api/v1/admin/accounts/12', 'ada is deleted.'],
    ['disable-2fa', 'DELETE', 'accounts/12/two_factor', 'ada has no second factor.'],
  ])('%s calls the endpoint of the account that is named', async (command, method, path, words) => {
    found()
    const { out, failed } = await accounts(
      command,
      'ada',
      ...(method === 'DELETE' || asking.has(command) ? ['--yes'] : []),
    )
    expect(orders).toEqual([lookup, sent(method, path)])
    expect([failed, out.trim()]).toEqual([false, words])
  })

  it.each([
    ['warn', 'none', 'ada is warned.'],
    ['disable', 'disable', 'ada is disabled.'],
  ])('%s sends the text for the member', async (command, type, words) => {
    found()
    const { out, failed } = await act(command, 'Please be kind.', '--quiet')
    const body = { type, text: 'Please be kind.', send_email_notification: false }
    expect(orders).toEqual([lookup, sent('POST', '/api/v1/admin/accounts/12/action', body)])
    expect([failed, out.trim()]).toEqual([false, words])
  })

  it('delete-posts names the posts by their ids', async () => {
    found()
    await accounts('delete-posts', 'ada', '7,8', '--yes')
    const body = { type: 'delete', status_ids: ['7', '8'] }
    expect(orders).toEqual([lookup, sent('POST', 'accounts/12/statuses/action', body)])
  })

  it.each([
    ['warn', 'ada'],
    ['enable', 'ada', 'because'],
    ['warn', 'ada', 'Please', 'be', 'kind.'],
  ])('prints its usage where arguments are missing or too many: %s %s', async (...words) => {
    expect((await accounts(...words)).failed).toBe(true)
    expect(orders).toEqual([])
  })

  it('role assigns a role by its name, and none removes it', async () => {
    found()
    answers.set('GET', '/api/fieldfare/v1/admin/roles', [{ id: '2', name: 'Admin' }])
    await accounts('role', 'ada', 'admin')
    await accounts('role', 'ada', 'none')
    expect(orders.filter(({ method }) => method === 'PUT')).toEqual(
      ['2', null].map((role) => sent('PUT', 'accounts/12/role', { role_id: role })),
    )
    expect((await accounts('role', 'ada', 'king')).problem).toContain('There is no role king.')
  })

  it('fieldfare accounts list reads all pages, a line for each member', async () => {
    const next = '/api/v2/admin/accounts?origin=local&limit=200&status=pending&max_id=7'
    answers.push({ status: 200, body: [ada], next })
    const admin = {
      ...ada,
      username: 'bob',
      approved: true,
      role: { id: '2', name: 'Admin' },
      invite_request: null,
    }
    answers.push({ status: 200, body: [admin] })
    const { out } = await accounts('list', '--waiting')
    expect(orders).toEqual([
      sent('GET', '/api/v2/admin/accounts?origin=local&limit=200&status=pending'),
      sent('GET', next),
    ])
    expect(out.split('\n')).toEqual([
      'ada  ada@mail.test  waiting  2026-11-01  “I watch birds”',
      'bob  ada@mail.test  active  2026-11-01  Admin',
      '',
    ])
  })

  it('history reads all pages, a line for each entry', async () => {
    const none = { report: null, strike: null, note: null, created_at: ada.created_at }
    const note = { username: '', content: 'Watch\u001b' }
    const strike = { action: 'silence', text: 'Be kind', overruled_at: ada.created_at }
    const report = { category: 'spam', comment: '', action_taken_at: null }
    const next = '/api/fieldfare/v1/admin/accounts/12/history?limit=40&max_id=9'
    answers.push({ status: 200, body: { id: '12' } })
    answers.push({ status: 200, body: [{ ...none, id: '9', type: 'note', note }], next })
    const entries = [
      { ...none, id: '8', type: 'strike', strike },
      { ...none, id: '7', type: 'report_about', report },
    ]
    answers.push({ status: 200, body: entries })
    const { out } = await accounts('history', 'ada')
    const paths = ['accounts/lookup?acct=ada', 'accounts/12/history?limit=40', next]
    expect(orders).toEqual(paths.map((path) => sent('GET', path)))
    expect(out.split('\n')).toEqual([
      '9  2026-11-01  note  the operator  Watch ',
      '8  2026-11-01  strike  silence  overruled  Be kind',
      '7  2026-11-01  report about  spam  open',
      '',
    ])
  })

  it('escapes control characters in texts of others', async () => {
    answers.push({ status: 200, body: [{ ...ada, invite_request: '\u001b[2J\nroot' }] })
    expect((await accounts('list')).out).toContain('“ [2J root”')
  })

  it('fails with the reason of a refusal', async () => {
    answers.push({ status: 409, body: { error: 'ada is not waiting for approval' } })
    const { failed, problem } = await accounts('approve', 'ada')
    expect(failed).toBe(true)
    expect(problem).toContain('refused (409): ada is not waiting for approval')
  })

  it.each([
    [['create', 'ada'], 'username', 'NAME'],
    [['create', 'ada'], 'email', '--email'],
    [['create', 'ada'], 'display_name', '--display-name'],
    [['create', 'ada'], 'locale', 'locale'],
    [['move', 'ada', 'ada@away.test'], 'acct', 'TARGET'],
  ])('%j names the argument of a refused field: %s', async (words, field, name) => {
    found()
    const problems = [{ code: 'invalid', field, sentence: '{field} is not valid.' }]
    answers.push({ status: 422, body: { error: 'Validation failed: x is invalid', problems } })
    const { failed, problem } = await accounts(...words, ...(words[0] === 'move' ? ['--yes'] : []))
    expect([failed, problem.split(': ').at(-1)]).toEqual([true, `${name} is not valid.\n`])
  })

  it.each([[[]], [['approve']], [['dance', 'ada']], [['role', 'ada']], [['list', 'all']]])(
    'explains itself to %j and sends nothing',
    async (words) => {
      const { failed, problem } = await accounts(...words)
      expect(failed).toBe(true)
      expect(problem).toContain('npx fieldfare accounts')
      expect(orders).toEqual([])
    },
  )
})
