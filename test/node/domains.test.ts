import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { instanceOf, sent } from './instance'

const { run: domains, orders, answers } = instanceOf('domains')

const effects = { accounts_count: 12, following_count: 3, followers_count: 4, complete: true }
const counted = '12 accounts known here, 3 follows by members, 4 of members'
const preview = { status: 200, body: { domain: 'evil.test', ...effects, existing_domain_blocks: [] } }
const limits = '/api/v1/admin/domain_blocks'
const previewing = sent('GET', 'domain_blocks/preview?domain=evil.test')

function fileOf(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'blocklist-')), 'list.csv')
  writeFileSync(file, text)
  return file
}

describe('fieldfare domains', () => {
  it('fieldfare domains limit first shows its effects, and does nothing without an answer', async () => {
    answers.push(preview)
    const { out, problem, failed } = await domains('limit', 'evil.test', 'suspend')
    expect(out).toContain(`evil.test: ${counted}.`)
    expect(problem).toContain('end all these follows. Repeat the command with --yes to go on.')
    expect(failed).toBe(true)
    expect(orders).toEqual([previewing])
  })

  it('fieldfare domains limit with --yes sends the given options, and leaves out the rest', async () => {
    answers.push(preview)
    const { out } = await domains(
      'limit',
      'evil.test',
      'silence',
      '--yes',
      '--no-reject-media',
      '--comment',
      'Spam',
    )
    const body = { domain: 'evil.test', severity: 'silence', reject_media: false, public_comment: 'Spam' }
    expect(orders).toEqual([previewing, sent('POST', limits, body)])
    expect(out).toContain('evil.test is limited: silence.')
  })

  const existing = [
    { id: '7', domain: 'evil.test', severity: 'silence' },
    { id: '6', domain: 'test', severity: 'noop' },
  ]
  const limited = { status: 200, body: { ...preview.body, existing_domain_blocks: existing } }

  it('fieldfare domains limit changes a limit on the server itself', async () => {
    answers.push(limited)
    const { out } = await domains('limit', 'evil.test', 'suspend', '--yes')
    expect(out).toContain('Limited already: test  noop')
    expect(orders).toEqual([previewing, sent('PUT', `${limits}/7`, { severity: 'suspend' })])
  })

  it('lift finds the limit, and says where there is none', async () => {
    answers.push(limited)
    expect((await domains('lift', 'evil.test')).out.trim()).toBe('evil.test is no longer limited.')
    expect(orders).toEqual([previewing, sent('DELETE', `${limits}/7`)])
    answers.push(preview)
    expect(await domains('lift', 'evil.test')).toMatchObject({
      code: 1,
      problem: 'evil.test is not limited.\n',
    })
  })

  it('fieldfare domains allow and disallow name the server', async () => {
    const allows = '/api/v1/admin/domain_allows'
    expect((await domains('allow', 'good.test')).out.trim()).toBe('good.test is allowed.')
    expect(orders).toEqual([sent('POST', allows, { domain: 'good.test' })])
    answers.push({ status: 200, body: [{ id: '3', domain: 'good.test' }] })
    expect((await domains('disallow', 'Good.test')).out.trim()).toBe('Good.test is no longer allowed.')
    expect(orders.at(-1)).toEqual(sent('DELETE', `${allows}/3`))
    answers.push({ status: 200, body: [] })
    expect((await domains('disallow', 'good.test')).problem).toContain('not on the list of allowed servers')
  })

  it('fieldfare domains list has limits and allowed servers by their names, with suspensions in progress', async () => {
    const limit = { severity: 'suspend', reject_media: false, reject_reports: false, obfuscate: false }
    const none = { public_comment: null, private_comment: null }
    answers.set('GET', `${limits}?limit=390`, [
      { ...limit, ...none, domain: 'evil.test', private_comment: 'Spam' },
      { ...limit, ...none, domain: 'bad.test' },
    ])
    answers.set('GET', '/api/v1/admin/domain_allows?limit=390', [{ domain: 'good.test' }])
    answers.set('GET', '/api/fieldfare/v1/admin/domain_blocks/suspensions', {
      suspensions: [{ domain: 'bad.test', accounts_done: 2, accounts_count: 5 }],
      next: null,
    })
    expect((await domains('list')).out.trim().split('\n')).toEqual([
      'bad.test  suspend  (2 of 5 accounts so far)',
      'evil.test  suspend  “Spam”',
      'good.test  allowed',
    ])
  })

  it('marks truncated counts', async () => {
    answers.push({ status: 200, body: { ...preview.body, complete: false } })
    expect((await domains('preview', 'evil.test')).out).toContain(`evil.test: at least ${counted}.`)
  })

  it('ended lists restorable follows, and restore names it', async () => {
    const one = {
      id: '7',
      domain: 'evil.test',
      following_count: 3,
      followers_count: 4,
      restorable_until: '2026-12-01T00:00:00.000Z',
      restored_at: null,
    }
    answers.push({ status: 200, body: [one] })
    expect((await domains('ended')).out.trim()).toBe(
      '7  evil.test  3 by members, 4 of members  restorable until 2026-12-01',
    )
    answers.push({ status: 200, body: one })
    expect((await domains('restore', '7')).out).toContain('evil.test')
    expect(orders.at(-1)).toEqual(sent('POST', 'severances/7/restore'))
  })

  it('fieldfare domains import shows the preview, and imports with --yes', async () => {
    const file = fileOf('#domain,#severity\nevil.test,suspend\n')
    const body = {
      added: [{ domain: 'evil.test', severity: 'suspend' }],
      conflicts: [
        {
          listed: { domain: 'loud.test', severity: 'suspend' },
          existing_domain_block: { severity: 'silence' },
        },
      ],
      excepted: ['friends.test'],
      unchanged_count: 2,
      ...effects,
    }
    answers.push({ status: 200, body })
    const asked = await domains('import', file)
    expect(asked.out.split('\n').slice(0, 4)).toEqual([
      'new       evil.test  suspend',
      'conflict  loud.test  suspend, limited already: silence',
      'excepted  friends.test',
      `2 lines change nothing. Suspensions affect ${counted}.`,
    ])
    expect(asked.problem).toContain('This would import 1 limits. Repeat')
    answers.push({ status: 200, body })
    await domains('import', file, '--overwrite', '--yes')
    const csv = '#domain,#severity\nevil.test,suspend\n'
    const previewed = sent('POST', 'domain_blocks/import/preview', { csv })
    const imported = sent('POST', 'domain_blocks/import', { csv, overwrite: true })
    expect(orders).toEqual([previewed, previewed, imported])
    expect((await domains('import', `${file}.not`)).problem).toContain('cannot be read')
  })

  it('fieldfare domains import prints the invalid line', async () => {
    answers.push({ status: 422, body: { error: 'Line 3: “two words” is not a valid domain name' } })
    const { problem, failed } = await domains('import', fileOf('two words'))
    expect([failed, problem]).toEqual([true, expect.stringContaining('Line 3: “two words”')])
  })

  it('approve shows the changes first, and applies some of them or all', async () => {
    const change = { id: '9', change: 'add', domain: 'evil.test', severity: 'suspend' }
    const lists = '/api/fieldfare/v1/admin/blocklists/5'
    answers.set('GET', `${lists}/changes?limit=120`, [change])
    answers.set('GET', `${lists}/preview`, {
      added_count: 1,
      changed_count: 0,
      removed_count: 0,
      ...effects,
    })
    const { out } = await domains('approve', '5', '9', '--yes')
    expect(out).toContain('9  add  evil.test  suspend')
    expect(out).toContain('1 changes wait.')
    await domains('approve', '5', '--yes')
    await domains('reject', '5', '9')
    expect(orders.filter(({ method }) => method === 'POST')).toEqual([
      sent('POST', `${lists}/approve`, { change_ids: [9] }),
      sent('POST', `${lists}/approve`, { all: true }),
      sent('POST', `${lists}/reject`, { change_ids: [9] }),
    ])
  })

  it('prints its usage where an argument is missing or extra', async () => {
    for (const words of [[], ['limit', 'evil.test'], ['lift'], ['toString', 'a'], ['list', 'a']])
      expect((await domains(...words)).problem).toContain('npx fieldfare domains')
    expect(orders).toEqual([])
  })
})
