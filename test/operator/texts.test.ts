import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { rules, settings, termsOfService } from '../../src/db/schema'
import { as } from '../support/as'
import { fakeMailer } from '../support/fake-mailer'
import { given } from '../support/given'
import { givenOwner } from '../support/given-staff'
import { clock, context } from '../support/test-app'

const setup = as('a setup token for tests')
const WithId = z.object({ id: z.string() })
const dayIn = (days: number) => new Date(clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)

async function actsOn(type: string) {
  const log = await as(await givenOwner()).get(
    `/api/fieldfare/v1/admin/audit_log?target_type=${type}&limit=3`,
  )
  return z.array(z.object({ action: z.string(), username: z.string() })).parse(log.body)
}

describe('the set-up routes about rules and terms', () => {
  afterEach(async () => {
    const { db } = context()
    for (const table of [rules, termsOfService, settings]) await db.delete(table)
  })

  it.each([
    'rules/list',
    'rules/add',
    'rules/change',
    'rules/translate',
    'rules/order',
    'rules/remove',
    'terms/list',
    'terms/show',
    'terms/publish',
    'terms/preview',
    'terms/notify',
    'terms/cancel',
  ])('%s refuses members', async (what) => {
    expect((await as(await given.account()).post(`/setup/${what}`, {})).status).toBe(403)
  })

  it('add, change, translate, order and remove rules', async () => {
    const add = async (text: string) =>
      WithId.parse((await setup.post('/setup/rules/add', { text, hint: 'Really' })).body).id
    const [kind, spam] = [await add('Be kind'), await add('No spam')]
    await setup.post('/setup/rules/change', { id: kind, text: 'Be kinder' })
    const german = { text: 'Sei nett', hint: '' }
    await setup.post('/setup/rules/translate', { id: kind, language: 'de', words: german })
    await setup.post('/setup/rules/translate', { id: kind, language: 'fr', words: { text: 'Sois gentil' } })
    await setup.post('/setup/rules/translate', { id: kind, language: 'fr', words: null })
    await setup.post('/setup/rules/order', { ids: [spam, kind] })
    expect((await setup.post('/setup/rules/list')).body).toMatchObject({
      rules: [
        { id: spam, text: 'No spam', hint: 'Really' },
        { id: kind, text: 'Be kinder', hint: 'Really', translations: { de: german } },
      ],
    })
    expect(
      (await setup.post('/setup/rules/translate', { id: kind, language: 'x', words: german })).status,
    ).toBe(422)
    expect((await setup.post('/setup/rules/add', { text: ' ' })).status).toBe(422)
    expect((await setup.post('/setup/rules/order', { ids: [kind] })).status).toBe(422)
    expect((await setup.post('/setup/rules/remove', { id: spam })).status).toBe(200)
    expect((await setup.post('/setup/rules/remove', { id: spam })).status).toBe(404)
    expect(await actsOn('rule')).toMatchObject([
      { action: 'delete', username: '' },
      { action: 'order' },
      { action: 'update' },
    ])
  })

  it('publish, show, preview, announce and cancel terms', async () => {
    const then = dayIn(9)
    const published = await setup.post('/setup/terms/publish', { text: 'Old.' })
    expect(published.body).toEqual({ date: dayIn(0) })
    await setup.post('/setup/terms/publish', { text: 'New.', changelog: 'All.', date: then })
    expect((await setup.post('/setup/terms/show', { date: then })).body).toEqual({
      text: 'New.',
      changelog: 'All.',
    })
    const alice = await given.account()
    const { overrides, sent } = fakeMailer()
    const preview = { date: then, username: alice.username }
    expect((await setup.post('/setup/terms/preview', preview, { overrides })).status).toBe(200)
    expect(sent.map(({ to }) => to)).toEqual([alice.email])
    expect((await setup.post('/setup/terms/notify', { date: then })).status).toBe(200)
    expect((await setup.post('/setup/terms/notify', { date: then })).status).toBe(409)
    expect((await setup.post('/setup/terms/list')).body).toMatchObject({
      versions: [
        { date: then, state: 'ahead', characters: 4, notified_at: clock.now().toISOString(), mails: 0 },
        { date: dayIn(0), state: 'in force', notified_at: null },
      ],
    })
    expect((await setup.post('/setup/terms/cancel', { date: dayIn(0) })).status).toBe(422)
    expect((await setup.post('/setup/terms/cancel', { date: then })).status).toBe(200)
    expect((await setup.post('/setup/terms/show', { date: then })).status).toBe(404)
    expect(await actsOn('terms_of_service')).toMatchObject([
      { action: 'delete', username: '' },
      { action: 'notify' },
      { action: 'create' },
    ])
  })

  it('refuse terms that the API refuses', async () => {
    for (const wrong of [{ text: ' ' }, { date: '2020-01-01' }, { date: 'soon' }])
      expect((await setup.post('/setup/terms/publish', { text: 'x', ...wrong })).status).toBe(422)
  })
})
