import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { settings, termsOfService } from '../../../src/db/schema'
import { anonymous, as } from '../../support/as'
import { Browser } from '../../support/browser'
import { fakeMailer } from '../../support/fake-mailer'
import type { TestAccount } from '../../support/given'
import { givenOwner } from '../../support/given-staff'
import { clock, context } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin/terms'
const shown = '/api/v1/instance/terms_of_service'
const day = 86_400_000
const dayIn = (days: number) => new Date(clock.now().getTime() + days * day).toISOString().slice(0, 10)

describe('terms of service for administrators', () => {
  let owner: TestAccount
  beforeAll(async () => {
    owner = await givenOwner()
  })
  afterEach(async () => {
    const { db } = context()
    await db.delete(termsOfService)
    await db.delete(settings)
  })

  it('terms of service for administrators take effect on their date, in API and page', async () => {
    const [today, then] = [dayIn(0), dayIn(3)]
    expect((await as(owner).post(path, { text: 'Old.' })).body).toMatchObject({
      effective_date: today,
      effective: true,
      text: 'Old.',
    })
    const next = await as(owner).post(path, { text: 'New.', effective_date: then })
    expect(next.body).toMatchObject({ effective_date: then, effective: false, succeeded_by: null })
    expect((await anonymous.get(shown)).body).toMatchObject({ content: '<p>Old.</p>', succeeded_by: then })
    expect((await anonymous.get(`${shown}/${then}`)).body).toMatchObject({ content: '<p>New.</p>' })
    expect((await new Browser().get('/terms-of-service')).html).toContain('<p>Old.</p>')
    clock.advance(3 * day)
    expect((await anonymous.get(shown)).body).toMatchObject({ content: '<p>New.</p>', effective: true })
    expect((await new Browser().get('/terms-of-service')).html).toContain('<p>New.</p>')
    const list = await as(owner).get(path)
    expect(list.body).toMatchObject([
      { effective_date: then, effective: true, succeeded_by: null, characters: 4 },
      { effective_date: today, succeeded_by: then },
    ])
    // The first request of a day also notes its session as active.
    expect((await as(owner).get(path)).costs.trips).toBeLessThanOrEqual(1)
  })

  it('terms of service for administrators are shown in advance where none are in effect, and not when the only version is cancelled', async () => {
    const then = dayIn(5)
    await as(owner).post(path, { text: 'First.', effective_date: then })
    expect((await anonymous.get(shown)).body).toMatchObject({ content: '<p>First.</p>', effective: false })
    await as(owner).post(path, { text: 'Better.', effective_date: then })
    expect((await as(owner).get(`${path}/${then}`)).body).toMatchObject({ text: 'Better.' })
    expect((await as(owner).delete(`${path}/${then}`)).status).toBe(200)
    expect((await as(owner).delete(`${path}/${then}`)).status).toBe(404)
    expect((await anonymous.get(shown)).status).toBe(404)
    expect((await new Browser().get('/terms-of-service')).status).toBe(404)
  })

  it('terms of service for administrators cannot be changed once they are in effect', async () => {
    await as(owner).post(path, { text: 'Old.' })
    expect((await as(owner).delete(`${path}/${dayIn(0)}`)).status).toBe(422)
    expect((await anonymous.get(shown)).status).toBe(200)
  })

  it.each([
    { text: ' ' },
    { text: 'x'.repeat(100_001) },
    { effective_date: '2020-01-01' },
    { effective_date: 'soon' },
    { effective_date: '2099-02-30' },
  ])('refuses %j', async (fields) => {
    expect((await as(owner).post(path, { text: 'x', ...fields })).status).toBe(422)
    expect((await as(owner).get(path)).body).toEqual([])
  })

  it('logs every change, without the texts', async () => {
    await as(owner).post(path, { text: 'Be **kind**.', effective_date: dayIn(1) })
    await as(owner).delete(`${path}/${dayIn(1)}`)
    const log = await as(owner).get('/api/fieldfare/v1/admin/audit_log?target_type=terms_of_service&limit=2')
    expect(log.body).toMatchObject([
      { action: 'delete', target_label: dayIn(1) },
      { action: 'create', after: { characters: 12 } },
    ])
    expect(JSON.stringify(log.body)).not.toContain('kind')
  })

  describe('notice of terms to members', () => {
    const announced = (date: string) => as(owner).post(`${path}/${date}/notify`)

    it('the notice of terms has one time, and cannot be changed', async () => {
      const then = dayIn(40)
      const published = await as(owner).post(path, { text: 'New.', changelog: 'All.', effective_date: then })
      expect(published.body).toMatchObject({ changelog: 'All.', notification_sent_at: null })
      const { status, body } = await announced(then)
      expect(status).toBe(200)
      expect(body).toMatchObject({ notification_sent_at: clock.now().toISOString(), notification_mails: 0 })
      expect(await announced(then)).toMatchObject({
        status: 409,
        body: { error: 'Members were told about these terms already' },
      })
      const replaced = await as(owner).post(path, { text: 'Other.', effective_date: then })
      expect(replaced.status).toBe(422)
      expect((await as(owner).get(`${path}/${then}`)).body).toMatchObject({ text: 'New.' })
      const log = await as(owner).get(
        '/api/fieldfare/v1/admin/audit_log?target_type=terms_of_service&limit=1',
      )
      expect(log.body).toMatchObject([{ action: 'notify', target_label: then }])
      expect((await as(owner).get(path)).body).toMatchObject([{ notification_sent_at: expect.any(String) }])
    })

    it('the notice of terms is sent for one of two concurrent administrators', async () => {
      const then = dayIn(41)
      await as(owner).post(path, { text: 'New.', effective_date: then })
      const answers = await Promise.all([announced(then), announced(then)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    })

    it('the notice of terms can be sent while publishing', async () => {
      const order = { text: 'New.', effective_date: dayIn(42), notify: true }
      expect((await as(owner).post(path, order)).body).toMatchObject({
        notification_sent_at: clock.now().toISOString(),
      })
    })

    it('the notice of terms is refused for replaced and missing versions', async () => {
      await as(owner).post(path, { text: 'Old.' })
      const old = dayIn(0)
      clock.advance(day)
      await as(owner).post(path, { text: 'New.' })
      expect((await announced(old)).status).toBe(422)
      expect((await announced('2020-01-01')).status).toBe(404)
      expect((await announced('soon')).status).toBe(404)
    })

    it('the notice of terms is mailed to the caller alone as a preview', async () => {
      const then = dayIn(43)
      await as(owner).post(path, { text: 'New.', changelog: 'All.', effective_date: then })
      const { overrides, sent } = fakeMailer()
      const preview = (more: Parameters<ReturnType<typeof as>['post']>[2] = { overrides }) =>
        as(owner).post(`${path}/${then}/preview`, {}, more)
      expect((await preview()).status).toBe(200)
      expect(sent.map(({ to }) => to)).toEqual([owner.email])
      expect(sent[0]?.text).toContain('> All.')
      expect((await preview({})).status).toBe(422)
      const mailer = { ...overrides.mailer, send: () => Promise.reject(new Error('out of order')) }
      expect((await preview({ overrides: { ...overrides, mailer } })).status).toBe(503)
      expect((await as(owner).get(`${path}/${then}`)).body).toMatchObject({ notification_sent_at: null })
    })
  })

  it('one of two concurrent administrators replaces the terms, and the other gets a conflict', async () => {
    const then = dayIn(50)
    await as(owner).post(path, { text: 'First.', effective_date: then })
    const other = await givenOwner()
    for (const send of [
      (text: string, by: TestAccount) => as(by).post(path, { text, effective_date: then }),
      (text: string, by: TestAccount) =>
        as(by).patch('/api/fieldfare/v1/admin/settings', { termsOfService: text }),
    ]) {
      const answers = await Promise.all([send('One.', owner), send('Two.', other)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      expect(JSON.stringify(answers.find(({ status }) => status === 409)?.body)).toContain('at the same time')
    }
    const answers = await Promise.all([
      as(owner).delete(`${path}/${then}`),
      as(other).post(path, { text: 'Three.', effective_date: then }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})
