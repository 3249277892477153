import { describe, expect, it } from 'vitest'
import { recordAudits } from '../../../src/domain/core/audit'
import { Changes, commit } from '../../../src/domain/core/changes'
import { operator } from '../../../src/domain/policy/permissions'
import { textOf } from '../../support/browser'
import { freshName } from '../../support/given'
import { givenRole } from '../../support/given-staff'
import { signedIn } from '../../support/members'
import { context } from '../../support/test-app'

/** Text of the audit log in a language, after these acts were done. */
async function logOf(language: string, acts: Parameters<typeof recordAudits>[3]) {
  const ctx = context()
  await commit(ctx, recordAudits(ctx, new Changes(), operator, acts))
  const { browser } = await signedIn({
    user: { locale: language, roleId: await givenRole({ permissions: ['viewAuditLog'] }) },
  })
  return textOf((await browser.get('/admin/action_logs')).html)
}

describe('the audit log', () => {
  it.each([
    ['en', 'Account suspended Account'],
    ['de', 'Gesperrt Konto'],
    ['fr', 'Suspension Compte'],
  ])('names actions and their targets in the language %s', async (language, words) => {
    const label = freshName('person')
    const target = { type: 'account', id: 1, label } as const
    expect(await logOf(language, [{ action: 'suspend', target }])).toContain(`${words} ${label}`)
  })

  it.each([
    ['en', ['Sign-up with approval', 'Days for notifications', 'yes', 'no']],
    ['de', ['Registrierung mit Freigabe', 'Tage für Benachrichtigungen', 'ja', 'nein']],
  ])('names changed fields in the language %s', async (language, words) => {
    const text = await logOf(language, [
      {
        action: 'update',
        target: { type: 'settings', id: null, label: freshName('act') },
        before: { allowWithApproval: true, keepNotificationDays: 3 },
        after: { allowWithApproval: false, keepNotificationDays: 5 },
      },
    ])
    for (const word of words) expect(text).toContain(word)
    expect(text).not.toContain('keepNotificationDays')
  })

  it('names changed settings by their labels alone', async () => {
    const label = 'aiCrawlers, searchEngines'
    const after = { aiCrawlers: true, searchEngines: false }
    const target = { type: 'settings', id: null, label } as const
    const text = await logOf('en', [{ action: 'update', target, after }])
    expect(text).not.toContain(label)
    expect(text).toMatch(/the operator Changed Settings \d/)
  })
})

it('shows an unknown field as it is stored', async () => {
  const target = { type: 'settings', id: null, label: freshName('act') } as const
  expect(await logOf('de', [{ action: 'update', target, after: { size_of_nest: 'small' } }])).toContain(
    'size_of_nest small',
  )
})

describe('stored values', () => {
  it.each([
    ['en', { severity: 'sign_up_block' }, 'No sign-up'],
    ['en', { severity: 'silence' }, 'limited'],
    ['en', { state: 'pending' }, 'requested'],
    ['en', { category: 'violation' }, 'broken rule'],
    ['en', { localFeedAccess: 'authenticated' }, 'Members'],
    ['de', { localFeedAccess: 'authenticated' }, 'Mitglieder'],
    ['en', { expires_at: '2026-11-27T08:05:00.000Z' }, '27 Nov 2026'],
    ['de', { keepStatusDays: 1_500 }, '1.500'],
    ['en', { status_ids: ['12', '34'] }, '12, 34'],
  ])('shows stored values in words to a reader of %s: %j', async (language, after, words) => {
    const label = freshName('act')
    const text = await logOf(language, [{ action: 'update', target: { type: 'role', id: 1, label }, after }])
    const shown = text.slice(text.indexOf(label))
    expect(shown).toContain(words)
    for (const value of Object.values(after))
      if (typeof value === 'string') expect(shown).not.toContain(value)
  })

  it('shows stored values without a known word unchanged', async () => {
    const label = freshName('act')
    const target = { type: 'settings', id: null, label } as const
    expect(await logOf('en', [{ action: 'update', target, after: { severity: 'unheard_of' } }])).toContain(
      'unheard_of',
    )
  })
})
