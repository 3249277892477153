import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { settings, termsOfService } from '../../../src/db/schema'
import { anonymous, as } from '../../support/as'
import { Browser } from '../../support/browser'
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

  it('come into force on their day, in API and page', async () => {
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

  it('are shown ahead where none are in force, and gone when the only version is cancelled', async () => {
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

  it('stay once they are in force', async () => {
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
  ])('refuse %j', async (fields) => {
    expect((await as(owner).post(path, { text: 'x', ...fields })).status).toBe(422)
    expect((await as(owner).get(path)).body).toEqual([])
  })

  it('leave every change in the audit log, without the texts', async () => {
    await as(owner).post(path, { text: 'Be **kind**.', effective_date: dayIn(1) })
    await as(owner).delete(`${path}/${dayIn(1)}`)
    const log = await as(owner).get('/api/fieldfare/v1/admin/audit_log?target_type=terms_of_service&limit=2')
    expect(log.body).toMatchObject([
      { action: 'delete', target_label: dayIn(1) },
      { action: 'create', after: { characters: 12 } },
    ])
    expect(JSON.stringify(log.body)).not.toContain('kind')
  })
})
