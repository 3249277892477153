import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { instanceOf } from './instance'

const { run: domains, orders, answers } = instanceOf('domains')

const effects = { accounts_count: 12, following_count: 3, followers_count: 4, complete: true }
const counted = '12 accounts known here, 3 follows by members, 4 of members'
const preview = { status: 200, body: { domain: 'evil.test', ...effects, existing: [] } }
const paths = () => orders.map(({ path }) => path.replace('/setup/domains/', ''))

function fileOf(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'blocklist-')), 'list.csv')
  writeFileSync(file, text)
  return file
}

describe('fieldfare domains', () => {
  it('limit first shows its effects, and does nothing without an answer', async () => {
    answers.push(preview)
    const { out, problem, failed } = await domains('limit', 'evil.test', 'suspend')
    expect(out).toContain(`evil.test: ${counted}.`)
    expect(problem).toContain('end all these follows. Repeat the command with --yes to go on.')
    expect(failed).toBe(true)
    expect(paths()).toEqual(['preview'])
  })

  it('limit with --yes sends the given options, and leaves out the rest', async () => {
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
    expect(orders[1]).toMatchObject({
      path: '/setup/domains/limit',
      body: { domain: 'evil.test', severity: 'silence', reject_media: false, public_comment: 'Spam' },
    })
    expect(orders[1]?.body).not.toHaveProperty('private_comment')
    expect(out).toContain('evil.test is limited: silence.')
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
    answers.push({ status: 200, body: { severances: [one] } })
    expect((await domains('ended')).out.trim()).toBe(
      '7  evil.test  3 by members, 4 of members  restorable until 2026-12-01',
    )
    answers.push({ status: 200, body: one })
    expect((await domains('restore', '7')).out).toContain('evil.test')
    expect(orders.at(-1)).toMatchObject({ path: '/setup/domains/restore', body: { id: 7 } })
  })

  it('import shows the preview, and imports with --yes', async () => {
    const file = fileOf('#domain,#severity\nevil.test,suspend\n')
    const body = {
      added: [{ domain: 'evil.test', severity: 'suspend' }],
      conflicts: [{ domain: 'loud.test', severity: 'suspend', existing: 'silence' }],
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
    expect(paths()).toEqual(['import/preview', 'import/preview', 'import'])
    expect(orders[2]?.body).toEqual({ csv: '#domain,#severity\nevil.test,suspend\n', overwrite: true })
    expect((await domains('import', `${file}.not`)).problem).toContain('cannot be read')
  })

  it('import prints the invalid line', async () => {
    answers.push({ status: 422, body: { error: 'Line 3: “two words” is not a valid domain name' } })
    const { problem, failed } = await domains('import', fileOf('two words'))
    expect([failed, problem]).toEqual([true, expect.stringContaining('Line 3: “two words”')])
  })

  it('approve shows the changes first, and applies some of them or all', async () => {
    const body = {
      changes: [{ id: '9', change: 'add', domain: 'evil.test', severity: 'suspend' }],
      count: 1,
      ...effects,
    }
    for (let left = 2; left > 0; left -= 1) answers.push({ status: 200, body }, { status: 200, body: {} })
    const { out } = await domains('approve', '5', '9', '--yes')
    expect(out).toContain('9  add  evil.test  suspend')
    await domains('approve', '5', '--yes')
    await domains('reject', '5', '9')
    expect(orders.filter(({ path }) => !path.endsWith('changes')).map((order) => order.body)).toEqual([
      { id: 5, changes: [9] },
      { id: 5, changes: 'all' },
      { id: 5, changes: [9] },
    ])
  })

  it('prints its usage where an argument is missing or extra', async () => {
    for (const words of [[], ['limit', 'evil.test'], ['lift'], ['toString', 'a'], ['list', 'a']])
      expect((await domains(...words)).problem).toContain('npx fieldfare domains')
    expect(orders).toEqual([])
  })
})
