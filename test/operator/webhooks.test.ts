import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../support/as'
import { fediverse } from '../support/fediverse'
import { given } from '../support/given'
import { givenOwner } from '../support/given-staff'

const setup = as('a setup token for tests')
const url = 'https://receiver.test/operator'
const Added = z.object({ id: z.string(), secret: z.string() })

describe('the set-up routes about webhooks', () => {
  it('refuse members', async () => {
    const alice = await given.account()
    for (const what of ['list', 'add', 'enable', 'disable', 'rotate', 'test', 'log', 'remove'])
      expect((await as(alice).post(`/setup/webhooks/${what}`, { id: 1 })).status, what).toBe(403)
  })

  it('add, test, rotate, disable, enable, log and remove', async () => {
    fediverse.network.serveHost('receiver.test', () => new Response('ok'))
    const { id, secret } = Added.parse(
      (await setup.post('/setup/webhooks/add', { url, events: ['report.created', 'status.created'] })).body,
    )
    expect((await setup.post('/setup/webhooks/list')).body).toMatchObject({
      webhooks: [{ id, url, enabled: true }],
    })
    expect((await setup.post('/setup/webhooks/test', { id })).body).toEqual({ http_status: 200, error: null })
    const rotated = Added.omit({ id: true }).parse((await setup.post('/setup/webhooks/rotate', { id })).body)
    expect(rotated.secret).not.toBe(secret)
    for (const [verb, enabled] of [
      ['disable', false],
      ['enable', true],
    ] as const) {
      await setup.post(`/setup/webhooks/${verb}`, { id })
      expect((await setup.post('/setup/webhooks/list')).body).toMatchObject({ webhooks: [{ id, enabled }] })
    }
    expect((await setup.post('/setup/webhooks/log', { id })).body).toEqual({ deliveries: [] })
    expect((await setup.post('/setup/webhooks/remove', { id })).status).toBe(200)
    expect((await setup.post('/setup/webhooks/remove', { id })).status).toBe(404)
    const log = await as(await givenOwner()).get(
      `/api/fieldfare/v1/admin/audit_log?target_type=webhook&target_id=${id}`,
    )
    expect(log.body).toMatchObject([
      { action: 'delete', account_id: null, username: '' },
      { action: 'enable' },
      { action: 'disable' },
      { action: 'rotate_secret' },
      { action: 'create' },
    ])
  })

  it('refuse what the API refuses', async () => {
    const add = (fields: object) =>
      setup.post('/setup/webhooks/add', { url, events: ['status.created'], ...fields })
    expect((await add({ url: 'https://10.0.0.1/' })).status).toBe(422)
    expect((await add({ events: ['everything'] })).status).toBe(422)
    expect((await add({ template: '{{' })).status).toBe(422)
  })
})
