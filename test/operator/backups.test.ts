import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { backUp } from '../../src/domain/backups/run'
import { permissions } from '../../src/domain/policy/permissions'
import { as } from '../support/as'
import {
  clearBackups,
  deleteBackups,
  finishBackup,
  givenBackup,
  manifestOf,
  stateOf,
} from '../support/backups'
import { given } from '../support/given'
import { givenOwner, givenStaff } from '../support/given-staff'
import { clock, context } from '../support/test-app'

const setup = as('a-setup-token-for-tests')
const Backup = z.object({ name: z.string(), state: z.string(), rows: z.int(), error: z.string().nullable() })
const Listed = z.object({ backups: z.array(Backup) })
const list = async () => Listed.parse((await setup.post('/setup/backups/list')).body).backups

beforeEach(clearBackups)

describe('the set-up routes about backups', () => {
  it.each(['list', 'create', 'show', 'delete', 'file', 'media'])(
    '%s refuses members and moderators with every other permission',
    async (what) => {
      const others = Object.keys(permissions).filter(
        (name): name is 'manageUsers' => name !== 'administrator',
      )
      const body = { name: 'a', file: 'manifest.json', key: 'a' }
      for (const caller of [await given.account(), await givenStaff({ permissions: others })])
        expect((await as(caller).post(`/setup/backups/${what}`, body)).status).toBe(403)
      expect((await as(null).post(`/setup/backups/${what}`, body)).status).toBe(401)
    },
  )

  it('the set-up routes about backups begin a backup, list it, and show how it goes on, for an owner too', async () => {
    const owner = as(await givenOwner())
    const { name, state } = Backup.parse((await owner.post('/setup/backups/create')).body)
    expect(state).toBe('running')
    expect(Backup.parse((await owner.post('/setup/backups/create')).body).name).toBe(name)
    await finishBackup(name)
    const shown = Backup.parse((await setup.post('/setup/backups/show', { name })).body)
    expect(shown).toMatchObject({ state: 'complete', error: null })
    expect(shown.rows).toBeGreaterThan(5)
    expect((await list()).find((one) => one.name === name)).toEqual(shown)
    expect((await setup.post('/setup/backups/show', { name: 'nope' })).status).toBe(404)
    expect((await setup.post('/setup/backups/show', {})).status).toBe(422)
  })

  it('the set-up routes about backups answer files of a backup and listed objects, and nothing else of the bucket', async () => {
    await env.MEDIA.put('avatars/5/a/still.webp', 'picture')
    const { name } = await givenBackup()
    const manifest = await manifestOf(name)
    const file = manifest?.parts[0]?.file ?? ''
    const answer = await setup.post('/setup/backups/file', { name, file })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect((await setup.post('/setup/backups/media', { key: 'avatars/5/a/still.webp' })).status).toBe(200)
    const wrong = [
      ['file', { name, file: '../x' }],
      ['file', { name: '..', file: 'manifest.json' }],
      ['file', { name: `../${name}`, file }],
      ['file', { name, file: 'database-000009-0000000000000000.jsonl.gz' }],
      ['media', { key: `backups/${name}/manifest.json` }],
      ['media', { key: 'avatars/none.webp' }],
    ] as const
    for (const [what, body] of wrong)
      expect((await setup.post(`/setup/backups/${what}`, body)).status, JSON.stringify(body)).toBe(404)
  })

  it('note in the audit log who reads a manifest, without the name that opens it', async () => {
    const owner = await givenOwner()
    const { name } = await givenBackup()
    await as(owner).post('/setup/backups/file', { name, file: 'manifest.json' })
    const { results } = await env.DB.prepare(
      `select username, action, target_label as label from audit_log where target_type = 'backup' order by id desc limit 1`,
    ).all()
    expect(results).toEqual([{ username: owner.username, action: 'download', label: name.split('-')[0] }])
  })

  it('the set-up routes about backups delete a backup, and one that only the bucket knows', async () => {
    const { name } = await givenBackup()
    await deleteBackups()
    expect(await list()).toContainEqual(expect.objectContaining({ name, state: 'stored' }))
    expect((await setup.post('/setup/backups/delete', { name })).status).toBe(200)
    for (let run = 0; run < 3; run += 1) await backUp(context())
    expect((await setup.post('/setup/backups/delete', { name })).status).toBe(404)
  })

  it('the set-up routes about backups say of one in the bucket without a manifest what it lacks', async () => {
    const name = '20200102T000000Z-BBBBBBBBBBBBBBBBBBBBBB'
    await env.MEDIA.put(`backups/${name}/database-000001-0123456789abcdef.jsonl.gz`, 'left')
    expect(await list()).toContainEqual(expect.objectContaining({ name, state: 'incomplete' }))
    const answer = await setup.post('/setup/backups/file', { name, file: 'manifest.json' })
    expect(answer).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('no manifest.json') },
    })
    const none = { name: name.replaceAll('B', 'C'), file: 'manifest.json' }
    expect((await setup.post('/setup/backups/file', none)).status).toBe(404)
    await env.MEDIA.delete(`backups/${name}/database-000001-0123456789abcdef.jsonl.gz`)
  })

  it('the set-up routes about backups delete a backup behind many older ones that only the bucket knows', async () => {
    const suffix = 'A'.repeat(22)
    const names = Array.from({ length: 7 }, (_, index) => `2020010${index + 1}T000000Z-${suffix}`)
    for (const name of names) await env.MEDIA.put(`backups/${name}/manifest.json`, '{}')
    const newest = names.at(-1)
    expect((await setup.post('/setup/backups/delete', { name: newest })).status).toBe(200)
    const left = (await list()).map(({ name }) => name)
    expect(left).toContain(names[0])
    expect(left).not.toContain(newest)
  })

  it('the set-up routes about backups let the next backup take over those that only the bucket knows, and let go of them in time', async () => {
    const first = await givenBackup()
    await env.MEDIA.put('backups/20200101T000000Z-AAAAAAAAAAAAAAAAAAAAAA/database-000001-0.gz', 'left')
    await deleteBackups()
    clock.advance(1_000)
    await givenBackup()
    expect(await stateOf(first.name)).toBe('complete')
    expect(await stateOf('20200101T000000Z-AAAAAAAAAAAAAAAAAAAAAA')).toBe('deleting')
  })
})

describe('a file of a backup', () => {
  it('a file of a backup is served to nobody under any address of media', async () => {
    const { name } = await givenBackup()
    const file = (await manifestOf(name))?.parts[0]?.file ?? ''
    expect(await env.MEDIA.head(`backups/${name}/${file}`)).not.toBeNull()
    await env.MEDIA.put(`backups/${name}/plain.json`, '{}')
    const keys = [`${name}/manifest.json`, `${name}/${file}`, `${name}/plain.json`]
    const paths = keys.flatMap((key) => [
      `/media/backups/${key}`,
      `/media/backups%2f${encodeURIComponent(key)}`,
      `/media/./backups/${key}`,
      `/media/avatars/../backups/${key}`,
      `/media_proxy/backups/${key}`,
      `/backups/${key}`,
    ])
    for (const path of paths)
      for (const caller of [as(null), as(await givenOwner())])
        expect((await caller.get(path)).status, path).toBe(404)
  })
})
