import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../support/as'
import { freshName, given } from '../support/given'
import { invite as givenInvite } from '../support/given-invite'
import { givenOwner } from '../support/given-staff'
import { clock } from '../support/test-app'

const setup = as('a setup token for tests')
const WithId = z.object({ id: z.string() })
const Invites = z.object({ invites: z.array(z.looseObject({ id: z.string(), state: z.string() })) })
const Roles = z.object({ roles: z.array(z.looseObject({ id: z.string(), name: z.string() })) })

describe('the set-up routes about invitations, roles, warnings and the audit log', () => {
  it.each([
    'invites/list',
    'invites/expire',
    'invites/expire-all',
    'roles/list',
    'roles/add',
    'roles/change',
    'roles/remove',
    'warnings/list',
    'warnings/add',
    'warnings/change',
    'warnings/remove',
    'audit-log/list',
  ])('%s refuses members', async (what) => {
    expect((await as(await given.account()).post(`/setup/${what}`, {})).status).toBe(403)
  })

  it('list and expire invitations', async () => {
    const alice = await given.account()
    const [first, second] = [await givenInvite(alice), await givenInvite(alice)]
    const states = async () => {
      const { invites } = Invites.parse((await setup.post('/setup/invites/list')).body)
      return [first, second].map(({ id }) => invites.find((one) => one.id === String(id))?.state)
    }
    expect((await setup.post('/setup/invites/expire', { id: String(first.id) })).status).toBe(200)
    expect(await states()).toEqual(['expired', 'usable'])
    expect((await setup.post('/setup/invites/expire-all')).body).toEqual({ expired: 1 })
    expect(await states()).toEqual(['expired', 'expired'])
    expect((await setup.post('/setup/invites/expire', { id: '7' })).status).toBe(404)
  })

  it('add, change and remove roles', async () => {
    const name = freshName('Judges')
    const fields = { permissions: ['manage_reports', 'manage_users'], position: '7', color: '#aabbcc' }
    expect((await setup.post('/setup/roles/add', { name, ...fields })).status).toBe(200)
    const changed = { name, require_two_factor: true, rename: `${name} of all` }
    expect((await setup.post('/setup/roles/change', changed)).status).toBe(200)
    const { roles } = Roles.parse((await setup.post('/setup/roles/list')).body)
    expect(roles.find((role) => role.name === `${name} of all`)).toMatchObject({
      position: 7,
      color: '#aabbcc',
      permission_names: ['manage_reports', 'manage_users'],
      require_two_factor: true,
    })
    for (const wrong of [{ permissions: ['fly'] }, { color: 'blue' }, { position: 'top' }])
      expect((await setup.post('/setup/roles/change', { name: `${name} of all`, ...wrong })).status).toBe(422)
    expect((await setup.post('/setup/roles/change', { name, position: '8' })).status).toBe(422)
    expect((await setup.post('/setup/roles/remove', { name: `${name} of all` })).status).toBe(200)
    expect((await setup.post('/setup/roles/remove', { name: 'owner' })).status).not.toBe(200)
  })

  it('change the role of everybody, and nothing but harmless permissions', async () => {
    const everyone = (permissions: readonly string[]) =>
      setup.post('/setup/roles/change', { name: 'everyone', permissions })
    expect((await everyone(['invite_users'])).status).toBe(200)
    const { roles } = Roles.parse((await setup.post('/setup/roles/list')).body)
    expect(roles.at(-1)).toMatchObject({ id: '-99', permission_names: ['invite_users'] })
    expect((await everyone(['manage_users'])).status).toBe(422)
    expect((await setup.post('/setup/roles/remove', { name: 'everyone' })).status).not.toBe(200)
  })

  it('add, change and remove texts for warnings', async () => {
    const { id } = WithId.parse(
      (await setup.post('/setup/warnings/add', { title: 'Spam', text: 'No spam.' })).body,
    )
    await setup.post('/setup/warnings/change', { id, text: 'No spam, please.' })
    expect((await setup.post('/setup/warnings/list')).body).toEqual({
      warnings: [{ id, title: 'Spam', text: 'No spam, please.' }],
    })
    expect((await setup.post('/setup/warnings/change', { id, text: ' ' })).status).toBe(422)
    expect((await setup.post('/setup/warnings/remove', { id })).status).toBe(200)
    expect((await setup.post('/setup/warnings/remove', { id })).status).toBe(404)
  })

  it('list the audit log, narrowed and in pages', async () => {
    const owner = await givenOwner()
    clock.advance(1_000)
    await as(owner).post('/api/fieldfare/v1/admin/rules', { text: 'Be kind' })
    const list = async (filter: Readonly<Record<string, string>>) => {
      const { body } = await setup.post('/setup/audit-log/list', filter)
      return z.object({ entries: z.array(z.looseObject({ username: z.string() })) }).parse(body).entries
    }
    expect(await list({ by: owner.username })).toMatchObject([{ action: 'create', target_type: 'rule' }])
    expect(await list({ type: 'rule' })).toMatchObject([{ username: owner.username }])
    const [{ id } = { id: '' }] = z.array(z.looseObject({ id: z.string() })).parse(await list({}))
    expect(await list({ before: id })).not.toContainEqual(expect.objectContaining({ id }))
    expect((await setup.post('/setup/audit-log/list', { by: 'nobody_at_all' })).status).toBe(404)
  })
})
