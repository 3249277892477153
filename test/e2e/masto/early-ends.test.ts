import { expect, it } from 'vitest'
import { mastoOf, postMany } from '../support/masto'
import { newPerson } from '../support/people'

/** Notifications that a page examines, and some more. */
const examined = 70

it('short and empty pages lead masto to a notification of a rare type', async () => {
  const [alice, bob] = await Promise.all([newPerson('alice'), newPerson('bob')])
  const [asAlice, asBob] = [mastoOf(alice), mastoOf(bob)]
  const mention = await asBob.v1.statuses.create({ status: `${alice.acct} did you hear that?` })
  for (const id of await postMany(alice, examined, (nth) => `Call number ${nth}`))
    await asBob.v1.statuses.$select(id).favourite()

  const pages: (readonly { readonly status?: { readonly id: string } | null | undefined }[])[] = []
  for await (const page of asAlice.v1.notifications.list({ types: ['mention'] })) pages.push(page)
  expect(pages[0]).toEqual([])
  expect(pages.flat().map(({ status }) => status?.id)).toEqual([mention.id])

  const groups: string[] = []
  for await (const page of asAlice.v2.notifications.list({ types: ['mention'] }))
    groups.push(...page.statuses.map(({ id }) => id))
  expect(groups).toEqual([mention.id])
})

it('a home of authors muted since leads masto to the one remaining status', async () => {
  const [alice, bob, carol] = await Promise.all(['alice', 'bob', 'carol'].map(newPerson))
  if (alice === undefined || bob === undefined || carol === undefined) throw new Error('three are needed')
  const asAlice = mastoOf(alice)
  for (const { id } of [bob, carol]) await asAlice.v1.accounts.$select(id).follow()
  const [left] = await postMany(carol, 1, () => 'Still here')
  await postMany(bob, examined, (nth) => `Noise number ${nth}`)
  await asAlice.v1.accounts.$select(bob.id).mute()
  const seen: string[] = []
  for await (const page of asAlice.v1.timelines.home.list({ limit: 5 }))
    seen.push(...page.map(({ id }) => id))
  expect(seen).toEqual([left])
})
