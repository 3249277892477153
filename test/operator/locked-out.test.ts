import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../support/as'
import { Browser } from '../support/browser'
import { freshName, given } from '../support/given'
import { givenOwner } from '../support/given-staff'
import { password } from '../support/members'
import { givenTotp, signInStep } from '../support/two-factor'

/** Acts that work where nothing else does, as docs/decisions/0074-one-administrative-surface.md lists them. */
const setup = as('a-setup-token-for-tests')
const ipBlocks = '/api/v1/admin/ip_blocks'
const Id = z.object({ id: z.string() })

describe('before there is an owner', () => {
  it('the set-up token opens the administration API, and makes the owner', async () => {
    expect((await setup.get('/api/v2/admin/accounts')).status).toBe(200)
    expect((await setup.get('/api/fieldfare/v1/admin/roles')).status).toBe(200)
    expect((await setup.post('/setup/owner', { username: freshName('owner') })).status).toBe(200)
  })
})

describe('a blocked network', () => {
  const headers = { 'cf-connecting-ip': '10.200.7.7' }
  const blocked = async () =>
    Id.parse((await setup.post(ipBlocks, { ip: '10.200.0.0/16', severity: 'no_access' })).body).id

  it('a blocked network has the block lifted by the set-up token, and by an owner', async () => {
    for (const by of [setup, as(await givenOwner())]) {
      const id = await blocked()
      expect((await as(null).get('/api/v2/instance', { headers })).status).toBe(403)
      expect((await by.get(ipBlocks, { headers })).body).toMatchObject([{ id }])
      expect((await by.delete(`${ipBlocks}/${id}`, undefined, { headers })).status).toBe(200)
      expect((await as(null).get('/api/v2/instance', { headers })).status).toBe(200)
    }
  })

  it('stays shut to everybody else, and to other endpoints', async () => {
    const owner = await givenOwner()
    const reader = await given.token({ accountId: owner.id, scopes: 'admin:read' })
    const id = await blocked()
    for (const [caller, path] of [
      [null, ipBlocks],
      ['made-up', ipBlocks],
      [await given.account(), ipBlocks],
      [reader, ipBlocks],
      [owner, '/api/v1/timelines/home'],
      ['a-setup-token-for-tests', '/api/v2/instance'],
    ] as const)
      expect(await as(caller).get(path, { headers })).toMatchObject({
        status: 403,
        body: { error: 'This action is not allowed' },
      })
    await setup.delete(`${ipBlocks}/${id}`)
  })
})

describe('an owner who lost the second factor', () => {
  it('signs in again after the set-up token removed it', async () => {
    const { member } = await givenTotp({ user: { roleId: 3 } })
    expect((await new Browser().signIn(member.username, password)).location).toBe(signInStep)
    const path = `/api/fieldfare/v1/admin/accounts/${member.id}/two_factor`
    expect((await setup.delete(path)).status).toBe(200)
    expect((await new Browser().signIn(member.username, password)).location).not.toBe(signInStep)
  })
})
