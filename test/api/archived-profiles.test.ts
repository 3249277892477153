import { expect, it } from 'vitest'
import { ArchiveProfileResult } from '../../src/contract/entities/own-account'
import type { Overrides } from '../../src/wire'
import { as } from '../support/as'
import { portRecorder } from '../support/capture-delivery'
import { given, type TestAccount } from '../support/given'
import { importsPath, openedImport } from '../support/given-archive'
import { formOf } from '../support/given-media'
import { knownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'
import { actorDocument, archivedActor } from '../support/mastodon-archive'
import { mediaFile } from '../support/media'
import { settleLateWork } from '../support/test-app'

const actor = {
  ...actorDocument(),
  name: 'Wren <b>of</b> a very long hedge that has no end',
  summary:
    '<p>Small bird</p><p>Friend of <a class="u-url mention" href="https://old.example/@tit">@<span>tit</span></a></p>',
  attachment: [
    {
      type: 'PropertyValue',
      name: 'Nest',
      value: '<a href="https://birds.example/"><span>birds.example</span></a>',
    },
    ...Array.from({ length: 9 }, (_, index) => ({
      type: 'PropertyValue',
      name: `${index}`,
      value: 'x'.repeat(400),
    })),
  ],
}

async function restored(
  by: TestAccount,
  body: Record<string, unknown> | FormData,
  overrides: Overrides = {},
) {
  const { id } = await openedImport(by)
  return as(by).post(`${importsPath}/${id}/profile`, body, { overrides })
}

const profileOf = async (by: TestAccount) => (await as(by).get('/api/v1/accounts/verify_credentials')).body

it('an archive fills an empty profile, within the limits of this server, and publishes nothing', async () => {
  const wren = await given.account({ displayName: '' })
  await relation.follow(await knownPeer(), wren)
  const recorder = portRecorder()
  const answer = await restored(wren, { actor }, recorder.overrides)
  expect(ArchiveProfileResult.parse(answer.body)).toEqual({ restored: ['display_name', 'note', 'fields'] })
  expect(answer.costs.trips).toBeLessThanOrEqual(6)
  await settleLateWork()
  expect(recorder.read()).toMatchObject({ jobs: [], handed: [] })
  expect(await profileOf(wren)).toMatchObject({
    display_name: 'Wren <b>of</b> a very long hedge that ha',
    source: { note: 'Small bird\n\nFriend of @tit@old.example' },
    fields: [{ name: 'Nest' }, { name: '0' }, { name: '1' }, { name: '2' }],
  })
})

it('an archive keeps existing values of a profile, also its pictures', async () => {
  const wren = await given.account()
  await as(wren).patch('/api/v1/accounts/update_credentials', { display_name: 'Mine', note: 'Mine' })
  const pictures = () => formOf({ avatar: mediaFile('rgb.png'), header: mediaFile('rgb.png') })
  expect((await restored(wren, { actor })).body).toEqual({ restored: ['fields'] })
  expect((await restored(wren, pictures())).body).toEqual({ restored: ['avatar', 'header'] })
  expect((await restored(wren, pictures())).body).toEqual({ restored: [] })
  expect(await profileOf(wren)).toMatchObject({ display_name: 'Mine', source: { note: 'Mine' } })
})

it('refuses an archive of another account, of none, or without a picture', async () => {
  const [wren, robin] = [await given.account(), await given.account()]
  const { id } = await openedImport(wren)
  for (const wrong of [{ ...actor, id: `${archivedActor}/2` }, { name: 'Wren' }, [], 'Wren', null])
    expect((await restored(wren, { actor: wrong })).status, JSON.stringify(wrong)).toBe(422)
  expect((await restored(wren, formOf({ avatar: new Uint8Array([1, 2, 3]) }))).status).toBe(422)
  expect((await as(robin).post(`${importsPath}/${id}/profile`, { actor })).status).toBe(404)
  expect(await profileOf(wren)).toMatchObject({ source: { note: '' }, fields: [] })
})
