import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { AdminRole } from '../../../src/contract/entities/admin/sign-up'
import { baseRole, type Permission } from '../../../src/domain/policy/permissions'
import { as } from '../../support/as'
import { freshName, given, type TestAccount } from '../../support/given'
import { givenOwner, givenRole, givenStaff, staffPosition } from '../../support/given-staff'

const path = '/api/fieldfare/v1/admin/roles'
const manager: readonly Permission[] = ['manageRoles', 'manageReports']

describe('roles', () => {
  let owner: TestAccount
  let admin: TestAccount
  beforeAll(async () => {
    owner = await givenOwner()
    admin = await givenStaff({ permissions: manager })
  })

  const create = async (fields: Readonly<Record<string, unknown>> = {}, by = owner) => {
    const answer = await as(by).post(path, { name: freshName('role'), position: 5, ...fields })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return AdminRole.parse(answer.body)
  }

  it('lists roles by rank, including the default ones', async () => {
    const { body, costs } = await as(owner).get(path)
    const list = z.array(AdminRole).parse(body)
    const positions = list.map(({ position }) => position)
    expect(positions).toEqual(positions.toSorted((a, b) => b - a))
    expect(list.map(({ name }) => name)).toEqual(expect.arrayContaining(['Owner', 'Admin', 'Moderator', '']))
    expect(costs.trips).toBeLessThanOrEqual(1)
  })

  it('stores name, colour, position, badge, permissions and two-factor requirement', async () => {
    const role = await create({
      color: '#FF8800',
      position: 7,
      permissions: ['manage_reports', 'view_dashboard'],
      highlighted: true,
      require_two_factor: true,
      collection_limit: 3,
    })
    expect(role).toMatchObject({
      color: '#ff8800',
      position: 7,
      permissions: '24',
      permission_names: ['view_dashboard', 'manage_reports'],
      highlighted: true,
      require_two_factor: true,
      collection_limit: 3,
    })
    const changed = await as(owner).patch(`${path}/${role.id}`, { permissions: '16', highlighted: false })
    expect(changed.body).toMatchObject({ permissions: '16', highlighted: false, color: '#ff8800' })
  })

  it('assigns roles, which take effect at once', async () => {
    const role = await create({ permissions: ['view_audit_log'] })
    const alice = await given.account({ scopes: 'admin:read read' })
    const log = () => as(alice).get('/api/fieldfare/v1/admin/audit_log')
    expect((await log()).status).toBe(403)
    const assigned = await as(owner).put(`/api/fieldfare/v1/admin/accounts/${alice.id}/role`, {
      role_id: role.id,
    })
    expect(assigned.body).toMatchObject({ id: String(alice.id), role: { id: role.id } })
    expect((await log()).status).toBe(200)
    await as(owner).delete(`${path}/${role.id}`)
    expect((await log()).status).toBe(403)
    expect((await as(owner).get(`${path}/${role.id}`)).status).toBe(404)
  })

  it('a role grants no more than the role of its creator, and ranks below it', async () => {
    const order = (fields: object) =>
      as(admin).post(path, { name: freshName('role'), position: 5, ...fields })
    expect((await order({ permissions: ['manage_users'] })).status).toBe(403)
    expect((await order({ permissions: ['administrator'] })).status).toBe(403)
    expect((await order({ position: staffPosition })).status).toBe(403)
    expect((await order({ position: staffPosition - 1, permissions: ['manage_reports'] })).status).toBe(200)
  })

  it('only higher roles change and assign a role', async () => {
    const own = await givenRole({ permissions: manager })
    const peer = await given.account({ user: { roleId: own } })
    const lower = await create({ position: 3 })
    expect((await as(admin).patch(`${path}/${own}`, { name: 'mine' })).status).toBe(403)
    expect((await as(admin).delete(`${path}/3`)).status).toBe(403)
    expect((await as(admin).patch(`${path}/${lower.id}`, { position: staffPosition })).status).toBe(403)
    const give = (account: number, role: number | string) =>
      as(admin).put(`/api/fieldfare/v1/admin/accounts/${account}/role`, { role_id: role })
    expect((await give(peer.id, lower.id)).status).toBe(403)
    expect((await give(admin.id, lower.id)).status).toBe(403)
    const alice = await given.account()
    expect((await give(alice.id, own)).status).toBe(403)
    expect((await give(alice.id, lower.id)).status).toBe(200)
  })

  it('owner roles stay, and the last owner keeps theirs', async () => {
    expect((await as(owner).delete(`${path}/3`)).status).toBe(403)
    expect((await as(owner).patch(`${path}/3`, { permissions: 0 })).status).toBe(422)
    expect((await as(owner).put(`/api/fieldfare/v1/admin/accounts/${owner.id}/role`, {})).status).toBe(403)
  })

  it('the role for everybody grants invitations at most, and cannot be deleted or assigned', async () => {
    const alone = `${path}/${baseRole}`
    expect((await as(admin).patch(alone, { permissions: ['manage_reports'] })).status).toBe(422)
    expect((await as(owner).delete(alone)).status).toBe(403)
    const alice = await given.account()
    const give = await as(owner).put(`/api/fieldfare/v1/admin/accounts/${alice.id}/role`, {
      role_id: baseRole,
    })
    expect(give.status).toBe(422)
    const changed = await as(owner).patch(alone, { permissions: [] })
    expect(changed.body).toMatchObject({ permission_names: [], position: -1 })
    await as(owner).patch(alone, { permissions: ['invite_users'] })
  })

  it('only the highest role requires a second factor of everybody, because that concerns owners too', async () => {
    const everybody = `${path}/${baseRole}`
    const demand = (by: TestAccount, isDemanded: boolean) =>
      as(by).patch(everybody, { require_two_factor: isDemanded })
    const second = await givenStaff({ permissions: ['administrator'] })
    for (const staff of [admin, second])
      expect(await demand(staff, true)).toMatchObject({
        status: 403,
        body: { error: 'Only those of the highest role decide whether everybody needs a second factor' },
      })
    expect((await as(owner).get(everybody)).body).toMatchObject({ require_two_factor: false })
    expect((await as(admin).patch(everybody, { permissions: '65536' })).status).toBe(200)
    for (const isDemanded of [true, false])
      expect(await demand(owner, isDemanded)).toMatchObject({ body: { require_two_factor: isDemanded } })
  })

  it('refuses invalid fields and stores nothing', async () => {
    const bad = [
      { name: ' ' },
      { name: 'x'.repeat(51) },
      { color: 'red' },
      { position: -1 },
      { position: 10_001 },
      { permissions: 2 ** 30 },
      { permissions: ['fly'] },
      { collection_limit: -1 },
    ]
    const count = async () => z.array(z.unknown()).parse((await as(owner).get(path)).body).length
    const before = await count()
    for (const fields of bad) {
      const answer = await as(owner).post(path, { name: freshName('role'), position: 5, ...fields })
      expect(answer.status, JSON.stringify(fields)).toBe(422)
    }
    const { name } = await create()
    expect((await as(owner).post(path, { name: name.toUpperCase() })).status).toBe(422)
    expect(await count()).toBe(before + 1)
  })

  it('one of two concurrent owners changes, deletes or assigns a role, and the other gets a conflict', async () => {
    const other = await givenOwner()
    const [first, second] = [await create(), await create()]
    const { id } = await given.account()
    const holder = `/api/fieldfare/v1/admin/accounts/${id}/role`
    const [one, two] = [as(owner), as(other)]
    for (const send of [
      () => [one.put(`${path}/${first.id}`, { name: 'A' }), two.put(`${path}/${first.id}`, { name: 'B' })],
      () => [one.put(holder, { role_id: first.id }), two.put(holder, { role_id: second.id })],
      () => [one.delete(`${path}/${first.id}`), two.delete(`${path}/${first.id}`)],
    ]) {
      const answers = await Promise.all(send())
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    }
  })

  it('logs every change', async () => {
    const role = await create()
    await as(owner).put(`${path}/${role.id}`, { highlighted: true })
    await as(owner).delete(`${path}/${role.id}`)
    const log = await as(owner).get(`/api/fieldfare/v1/admin/audit_log?target_type=role&target_id=${role.id}`)
    expect(log.body).toMatchObject([
      { action: 'delete', target_label: role.name },
      { action: 'update', before: { highlighted: false }, after: { highlighted: true } },
      { action: 'create' },
    ])
  })
})
