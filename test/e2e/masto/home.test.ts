import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { call } from '../support/http'
import { idsOf } from '../support/ids'
import { mastoAnonymous, mastoOf } from '../support/masto'
import { newName, newPerson } from '../support/people'
import { mediaFile } from '../support/pictures'

async function flock() {
  const [alice, bob, carol] = await Promise.all(['alice', 'bob', 'carol'].map((name) => newPerson(name)))
  if (alice === undefined || bob === undefined || carol === undefined) throw new Error('Nobody came')
  return { alice, bob, carol, asAlice: mastoOf(alice), asBob: mastoOf(bob), asCarol: mastoOf(carol) }
}

describe('the home timeline with masto', () => {
  it('is what those I follow post and pass on, for followers as well', async () => {
    const { bob, asAlice, asBob, asCarol } = await flock()
    await asAlice.v1.accounts.$select(bob.id).follow()
    const far = await asCarol.v1.statuses.create({ status: 'From the far side' })
    const near = await asBob.v1.statuses.create({ status: 'For friends', visibility: 'private' })
    const passed = await asBob.v1.statuses.$select(far.id).reblog()
    const home = await asAlice.v1.timelines.home.list()
    expect(idsOf(home)).toEqual([passed.id, near.id])
    expect(home[0]).toMatchObject({ reblog: { id: far.id }, account: { id: bob.id } })
  })

  it('leaves out reblogs of whose reblogs I do not want', async () => {
    const { bob, asAlice, asBob, asCarol } = await flock()
    await asAlice.v1.accounts.$select(bob.id).follow({ reblogs: false })
    const { id } = await asCarol.v1.statuses.create({ status: 'Elsewhere' })
    await asBob.v1.statuses.$select(id).reblog()
    const own = await asBob.v1.statuses.create({ status: 'Here' })
    expect(idsOf(await asAlice.v1.timelines.home.list())).toEqual([own.id])
  })

  it('changes when I follow, unfollow or block', async () => {
    const { bob, asAlice, asBob } = await flock()
    const { id } = await asBob.v1.statuses.create({ status: 'Before' })
    const bobs = asAlice.v1.accounts.$select(bob.id)
    const home = async () => idsOf(await asAlice.v1.timelines.home.list())
    expect(await home()).toEqual([])
    await bobs.follow()
    expect(await home()).toEqual([id])
    await bobs.unfollow()
    expect(await home()).toEqual([])
    await bobs.follow()
    await bobs.block()
    expect(await home()).toEqual([])
  })

  it('loses what its author deletes', async () => {
    const { bob, asAlice, asBob } = await flock()
    await asAlice.v1.accounts.$select(bob.id).follow()
    const { id } = await asBob.v1.statuses.create({ status: 'Not for long' })
    await asAlice.v1.statuses.$select(id).reblog()
    await asBob.v1.statuses.$select(id).remove()
    expect(await asAlice.v1.timelines.home.list()).toEqual([])
    expect((await asAlice.v1.accounts.verifyCredentials()).statusesCount).toBe(0)
  })
})

describe('public timelines with masto', () => {
  it('is public: nothing unlisted, private or direct, and nothing remote yet', async () => {
    const { alice, bob, asAlice } = await flock()
    const open = await asAlice.v1.statuses.create({ status: 'For all' })
    for (const visibility of ['unlisted', 'private', 'direct'] as const)
      await asAlice.v1.statuses.create({ status: `${bob.acct} for few`, visibility })
    const seen = (await mastoAnonymous().v1.timelines.public.list({ limit: 40 })).filter(
      ({ account }) => account.id === alice.id,
    )
    expect(idsOf(seen)).toEqual([open.id])
    expect(await mastoAnonymous().v1.timelines.public.list({ remote: true })).toEqual([])
  })

  it('can be narrowed to pictures and to several hashtags, as Phanpy asks', async () => {
    const { asAlice } = await flock()
    const [one, two] = [newName('larch').replaceAll('_', ''), newName('alder').replaceAll('_', '')]
    const media = await asAlice.v2.media.create({
      file: await mediaFile('palette.png', 'image/png'),
      skipPolling: true,
    })
    const pictured = await asAlice.v1.statuses.create({ status: `#${one}`, mediaIds: [media.id] })
    const plain = await asAlice.v1.statuses.create({ status: `#${two}` })
    const both = await asAlice.v1.statuses.create({ status: `#${one} #${two}` })
    const tag = mastoAnonymous().v1.timelines.tag.$select(one)
    expect(idsOf(await tag.list({ onlyMedia: true }))).toEqual([pictured.id])
    const read = async (query: string) => {
      const answer = await call(`/api/v1/timelines/tag/${one}?${query}`)
      return idsOf(z.array(z.looseObject({ id: z.string() })).parse(await answer.json()))
    }
    expect(await read(`any[]=${two}`)).toEqual([both.id, plain.id, pictured.id])
    expect(await read(`all[]=${two}`)).toEqual([both.id])
    expect(await read(`none[]=${two}`)).toEqual([pictured.id])
  })

  it('comes in bulk by id, what is hidden left out', async () => {
    const { asAlice, asBob } = await flock()
    const open = await asAlice.v1.statuses.create({ status: 'Seen' })
    const shut = await asAlice.v1.statuses.create({ status: 'Unseen', visibility: 'private' })
    expect(idsOf(await asBob.v1.statuses.fetch({ id: [open.id, shut.id, '1'] }))).toEqual([open.id])
  })
})
