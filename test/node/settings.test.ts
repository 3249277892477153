import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { instanceOf } from './instance'

const { run: settings, orders, answers } = instanceOf('settings')

describe('fieldfare settings', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'settings-'))
    writeFileSync(join(folder, 'picture.png'), new Uint8Array([0x89, 0x50, 0xff, 0x00]))
    writeFileSync(join(folder, 'privacy.md'), 'Little is kept.')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('sends texts, lists, files and pictures with the set-up token', async () => {
    const words = ['title=Hedge', 'minimumAge=null', 'languages=de, en']
    const files = [
      `privacyPolicy=@${join(folder, 'privacy.md')}`,
      `thumbnail=@${join(folder, 'picture.png')}`,
    ]
    const { out } = await settings('set', ...words, ...files)
    expect(orders).toEqual([
      {
        method: 'PUT',
        path: '/api/fieldfare/v1/admin/settings',
        token: 'Bearer secret',
        body: {
          title: 'Hedge',
          minimumAge: null,
          languages: ['de', 'en'],
          privacyPolicy: 'Little is kept.',
          thumbnail: 'data:application/octet-stream;base64,iVD/AA==',
        },
      },
    ])
    expect(out.trim()).toBe('Saved.')
  })

  it('fails with the reason of a refusal', async () => {
    answers.push({ status: 422, body: { error: 'Validation failed: Minimum age must be a whole number' } })
    const { failed, problem } = await settings('set', 'minimumAge=abc')
    expect([failed, problem]).toEqual([true, expect.stringContaining('refused (422): Validation failed')])
  })

  it.each([
    [[]],
    [['set']],
    [['set', 'title']],
    [['set', 'title=Hedge', 'rule=Be kind']],
    [['set', 'thumbnail=https://elsewhere.test/x.png']],
  ])('explains itself to %j and sends nothing', async (words) => {
    const { failed, problem } = await settings(...words)
    expect([failed, orders]).toEqual([true, []])
    expect(problem).toContain('npx fieldfare settings')
  })
})
