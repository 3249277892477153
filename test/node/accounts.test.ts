import { describe, expect, it } from 'vitest'
import { instanceOf, sent } from './instance'

const { run: accounts, orders, answers } = instanceOf('accounts')

const ada = {
  username: 'ada',
  email: 'ada@mail.test',
  state: 'waiting',
  role: null,
  reason: 'I watch birds',
  created_at: '2026-11-01T12:00:00.000Z',
}

/** Decisions that are asked about. */
const asking = new Set(['reject', 'disable'])

describe('fieldfare accounts', () => {
  it.each([
    ['approve', 'ada is approved.'],
    ['reject', 'ada is rejected.'],
    ['disable', 'ada is disabled.'],
    ['enable', 'ada is enabled.'],
  ])('%s sends the name with the set-up token and prints the outcome', async (command, words) => {
    const { out, failed } = await accounts(command, 'ada', ...(asking.has(command) ? ['--yes'] : []))
    expect(orders).toEqual([
      {
        method: 'POST',
        path: `/setup/members/${command}`,
        token: 'Bearer secret',
        body: { username: 'ada' },
      },
    ])
    expect([failed, out.trim()]).toEqual([false, words])
  })

  it.each([
    ['warn', 'ada is warned.'],
    ['disable', 'ada is disabled.'],
  ])('%s sends the text for the member', async (command, words) => {
    const { out, failed } = await accounts(
      command,
      'ada',
      'Please be kind.',
      ...(asking.has(command) ? ['--yes'] : []),
    )
    expect(orders.map(({ body }) => body)).toEqual([{ username: 'ada', text: 'Please be kind.' }])
    expect([failed, out.trim()]).toEqual([false, words])
  })

  it.each([
    ['warn', 'ada'],
    ['enable', 'ada', 'because'],
    ['warn', 'ada', 'Please', 'be', 'kind.'],
  ])('prints its usage where arguments are missing or too many: %s %s', async (...words) => {
    expect((await accounts(...words)).failed).toBe(true)
    expect(orders).toEqual([])
  })

  it('role assigns a role, and none removes it', async () => {
    await accounts('role', 'ada', 'admin')
    await accounts('role', 'ada', 'none')
    expect(orders.map(({ body }) => body)).toEqual([
      { username: 'ada', role: 'admin' },
      { username: 'ada', role: null },
    ])
  })

  it('list reads all pages, a line for each member', async () => {
    answers.push({ status: 200, body: { members: [ada], next: 7 } })
    answers.push({ status: 200, body: { members: [{ ...ada, username: 'bob', role: 'Admin' }], next: null } })
    const { out } = await accounts('list', '--waiting')
    expect(orders.map(({ body }) => body)).toEqual([
      { only_waiting: true, before: null },
      { only_waiting: true, before: 7 },
    ])
    expect(out.split('\n')).toEqual([
      'ada  ada@mail.test  waiting  2026-11-01  “I watch birds”',
      'bob  ada@mail.test  waiting  2026-11-01  Admin  “I watch birds”',
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
    answers.push({ status: 200, body: { members: [{ ...ada, reason: '\u001b[2J\nroot' }], next: null } })
    expect((await accounts('list')).out).toContain('“ [2J root”')
  })

  it('fails with the reason of a refusal', async () => {
    answers.push({ status: 409, body: { error: 'ada is not waiting for approval' } })
    const { failed, problem } = await accounts('approve', 'ada')
    expect(failed).toBe(true)
    expect(problem).toContain('refused (409): ada is not waiting for approval')
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
