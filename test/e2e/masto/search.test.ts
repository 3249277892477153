import { describe, expect, it } from 'vitest'
import { idsOf } from '../support/ids'
import { mastoAnonymous, mastoFailure, mastoOf } from '../support/masto'
import { runPeriodicTasks } from '../support/operator'
import { aliceAndBob, newName, newTag, origin } from '../support/people'
import { mediaFile } from '../support/pictures'

describe('searching with masto', () => {
  it('finds accounts, hashtags and posts by their text', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    const word = newName('wheatear').replaceAll('_', '')
    const status = await asAlice.v1.statuses.create({ status: `Zwei ${word} in den Dünen #${word}` })
    const ids = async (q: string, more = {}) =>
      (await asAlice.v2.search.list({ q, ...more })).statuses.map(({ id }) => id)
    const all = await asAlice.v2.search.list({ q: word })
    expect(all).toMatchObject({ hashtags: [{ name: word }], statuses: [{ id: status.id }], accounts: [] })
    for (const q of [
      `dunen ${word}`,
      `"zwei ${word}"`,
      `#${word}`,
      `${word} from:me`,
      `${word} in:library -has:media`,
    ])
      expect(await ids(q), q).toEqual([status.id])
    for (const q of [`${word} -dunen`, `${word} has:poll`, `${word} before:2020-01-01`, `${word} in:public`])
      expect(await ids(q), q).toEqual([])
    expect(await ids(word, { type: 'statuses', offset: 1 })).toEqual([])
    expect((await asBob.v2.search.list({ q: word })).statuses).toEqual([])
    const naming = await asAlice.v1.statuses.create({ status: `${word} for ${bob.acct}` })
    const found = await asBob.v2.search.list({ q: `${word} from:${alice.acct}`, type: 'statuses' })
    expect(found.statuses.map(({ id }) => id)).toEqual([naming.id])
    expect(await mastoFailure(asBob.v2.search.list({ q: 'before:yesterday' }))).toMatchObject({
      statusCode: 422,
    })
  })

  it('distinguishes kinds of posts', async () => {
    const { asAlice } = await aliceAndBob(mastoOf)
    const word = newTag('ouzel')
    const post = (status: Parameters<typeof asAlice.v1.statuses.create>[0]) =>
      asAlice.v1.statuses.create(status)
    const media = await asAlice.v2.media.create({
      file: await mediaFile('rgb.png', 'image/png'),
      description: 'Black and white',
      skipPolling: true,
    })
    const plain = await post({ status: `${word} sings`, language: 'en' })
    const reply = await post({ status: `${word} antwortet`, language: 'de', inReplyToId: plain.id })
    const pictured = await post({ status: word, language: 'fr', mediaIds: [media.id], sensitive: true })
    const asked = { options: ['Dipper', 'Wren'], expiresIn: 600 }
    const polled = await post({ status: `${word}?`, language: 'sv', poll: asked })
    const search = async (operators: string) => {
      const query = { q: `${word} ${operators}`, type: 'statuses' as const }
      return idsOf((await asAlice.v2.search.list(query)).statuses)
    }
    for (const [operators, expected] of [
      ['', [polled, pictured, reply, plain]],
      ['is:reply', [reply]],
      ['has:image', [pictured]],
      ['is:sensitive', [pictured]],
      ['has:poll', [polled]],
      ['language:de', [reply]],
      ['white', [pictured]],
      ['dipper', [polled]],
      ['-is:reply -has:media -has:poll', [plain]],
      ['after:2020-01-01 -language:sv before:2100-01-01', [pictured, reply, plain]],
    ] as const)
      expect(await search(operators), operators).toEqual(idsOf(expected))
    const page = async (more: object) =>
      idsOf((await asAlice.v2.search.list({ q: word, type: 'statuses', limit: 2, ...more })).statuses)
    expect(await page({ offset: 2 })).toEqual([reply.id, plain.id])
    expect(await page({ maxId: pictured.id })).toEqual([reply.id, plain.id])
  })

  it('finds posts of searchable authors, and those the viewer interacted with', async () => {
    const { alice, asAlice, asBob } = await aliceAndBob(mastoOf)
    const word = newTag('godwit')
    const { id } = await asAlice.v1.statuses.create({ status: `A ${word}` })
    const found = async () =>
      idsOf((await asBob.v2.search.list({ q: word, type: 'statuses', accountId: alice.id })).statuses)
    const status = asBob.v1.statuses.$select(id)
    expect(await found()).toEqual([])
    // The minute's job makes statuses searchable after an interaction or consent; taking it back hides them at once.
    for (const [mark, unmark] of [
      [() => status.favourite(), () => status.unfavourite()],
      [() => status.bookmark(), () => status.unbookmark()],
    ] as const) {
      await mark()
      await runPeriodicTasks()
      expect(await found()).toEqual([id])
      await unmark()
      expect(await found()).toEqual([])
    }
    await asAlice.v1.profile.update({ indexable: true })
    await runPeriodicTasks()
    expect(await found()).toEqual([id])
    await asBob.v1.accounts.$select(alice.id).block()
    expect(await found()).toEqual([])
  })

  it('finds followed accounts by name, and by address', async () => {
    const { alice, bob, asAlice } = await aliceAndBob(mastoOf)
    const people = async (more: object) =>
      idsOf((await asAlice.v2.search.list({ q: bob.username, type: 'accounts', ...more })).accounts)
    expect([await people({}), await people({ following: true })]).toEqual([[bob.id], []])
    await asAlice.v1.accounts.$select(bob.id).follow()
    expect(await people({ following: true })).toEqual([bob.id])
    const byUrl = await asAlice.v2.search.list({ q: `${origin}/@${bob.username}`, resolve: true })
    expect(idsOf(byUrl.accounts)).toEqual([bob.id])
    const { id, url } = await asAlice.v1.statuses.create({ status: 'Here', visibility: 'private' })
    expect(idsOf((await asAlice.v2.search.list({ q: String(url), resolve: true })).statuses)).toEqual([id])
    const unseen = await mastoOf(bob).v2.search.list({ q: String(url), resolve: true })
    expect(unseen.statuses).toEqual([])
    const nobody = mastoAnonymous().v2.search.list({ q: alice.username, resolve: true })
    expect(await mastoFailure(nobody)).toMatchObject({ statusCode: 401 })
  })

  it('leaves out unreviewed hashtags on request', async () => {
    const { asAlice } = await aliceAndBob(mastoOf)
    const name = newTag('whimbrel')
    await asAlice.v1.statuses.create({ status: `#${name}` })
    const tags = async (q: string, excludeUnreviewed: boolean) =>
      (await asAlice.v2.search.list({ q, type: 'hashtags', excludeUnreviewed })).hashtags.map(
        (tag) => tag.name,
      )
    const start = `#${name.slice(0, -1)}`
    expect([await tags(start, false), await tags(start, true)]).toEqual([[name], []])
    expect(await tags(`#${name}`, true)).toEqual([name])
  })
})
