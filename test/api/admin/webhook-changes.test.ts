import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../../support/as'
import type { TestAccount } from '../../support/given'
import { givenOwner } from '../../support/given-staff'

const path = '/api/fieldfare/v1/admin/webhooks'

describe('changes of webhooks', () => {
  let owner: TestAccount
  beforeEach(async () => {
    owner = await givenOwner()
  })

  const create = async () => {
    const fields = { url: `https://receiver.test/${owner.username}`, events: ['status.created'] }
    return z.looseObject({ id: z.string() }).parse((await as(owner).post(path, fields)).body)
  }

  it('two concurrent administrators get one result and one conflict', async () => {
    const { id } = await create()
    const [one, two] = [as(owner), as(await givenOwner())]
    for (const send of [
      () => [one.put(`${path}/${id}`, { template: 'a' }), two.patch(`${path}/${id}`, { template: 'b' })],
      () => [one.post(`${path}/${id}/disable`), two.put(`${path}/${id}`, { events: ['status.updated'] })],
      () => [one.post(`${path}/${id}/rotate_secret`), two.post(`${path}/${id}/rotate_secret`)],
      () => [one.delete(`${path}/${id}`), two.delete(`${path}/${id}`)],
    ]) {
      const answers = await Promise.all(send())
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    }
  })

  it('enabling twice changes and logs nothing', async () => {
    const { id } = await create()
    for (const verb of ['enable', 'disable', 'disable', 'enable'])
      expect((await as(owner).post(`${path}/${id}/${verb}`)).status).toBe(200)
    const log = await as(owner).get(`/api/fieldfare/v1/admin/audit_log?target_type=webhook&target_id=${id}`)
    expect(log.body).toMatchObject([{ action: 'enable' }, { action: 'disable' }, { action: 'create' }])
  })
})
