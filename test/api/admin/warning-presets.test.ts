import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../../support/as'
import type { TestAccount } from '../../support/given'
import { givenStaff } from '../../support/given-staff'

const path = '/api/fieldfare/v1/admin/warning_presets'
const Named = z.object({ id: z.string() })

describe('texts for warnings', () => {
  let admin: TestAccount
  beforeAll(async () => {
    admin = await givenStaff({ permissions: ['manageSettings', 'manageUsers', 'viewAuditLog'] })
  })

  it('adds, lists, changes and deletes texts, with a log entry each', async () => {
    const made = await as(admin).post(path, { title: 'Spam', text: ' No spam. ' })
    expect(made).toMatchObject({ status: 200, body: { title: 'Spam', text: 'No spam.' } })
    const { id } = Named.parse(made.body)
    const changed = await as(admin).put(`${path}/${id}`, { text: 'No spam, please.' })
    expect(changed.body).toMatchObject({ title: 'Spam', text: 'No spam, please.' })
    expect((await as(admin).get(path)).body).toMatchObject([{ id, text: 'No spam, please.' }])
    expect((await as(admin).delete(`${path}/${id}`)).status).toBe(200)
    expect((await as(admin).get(path)).body).toEqual([])
    expect((await as(admin).delete(`${path}/${id}`)).status).toBe(404)
    const log = await as(admin).get(
      `/api/fieldfare/v1/admin/audit_log?target_type=warning_preset&target_id=${id}`,
    )
    expect(log.body).toMatchObject([{ action: 'delete' }, { action: 'update' }, { action: 'create' }])
  })

  it('refuses an empty text and one that is too long', async () => {
    for (const body of [
      {},
      { text: ' ' },
      { text: 'x'.repeat(5_001) },
      { title: 'x'.repeat(201), text: 'x' },
    ])
      expect((await as(admin).post(path, body)).status).toBe(422)
    expect((await as(admin).put(`${path}/7`, { text: 'x' })).status).toBe(404)
  })

  it('one of two concurrent administrators changes a text, and the other gets a conflict', async () => {
    const other = await givenStaff({ permissions: ['manageSettings', 'manageUsers'] })
    const { id } = Named.parse((await as(admin).post(path, { text: 'No spam' })).body)
    const [one, two] = [as(admin), as(other)]
    for (const send of [
      () => [one.put(`${path}/${id}`, { text: 'By one' }), two.put(`${path}/${id}`, { text: 'By two' })],
      () => [one.patch(`${path}/${id}`, { title: 'By one' }), two.delete(`${path}/${id}`)],
    ]) {
      const answers = await Promise.all(send())
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
        error: 'The preset was changed by somebody else at the same time',
      })
    }
  })
})
