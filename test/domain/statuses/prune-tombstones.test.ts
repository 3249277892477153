import { like } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { tombstones } from '../../../src/db/schema'
import { pruneTombstones } from '../../../src/domain/statuses/remote/receive-edit'
import { clock, context } from '../../support/test-app'

const day = 86_400_000

it('deletes tombstones of remote statuses that earlier versions stored after thirty days, and none that readers receive', async () => {
  const { db } = context()
  const at = (days: number) => new Date(clock.now().getTime() - days * day)
  const old = Array.from({ length: 700 }, (_, index) => ({
    uri: `https://pruned.test/${index}`,
    deletedAt: at(31),
  }))
  for (let from = 0; from < old.length; from += 30)
    await db.insert(tombstones).values(old.slice(from, from + 30))
  await db.insert(tombstones).values([
    { uri: 'https://pruned.test/young', deletedAt: at(29) },
    { uri: 'https://pruned.test/told', deletedAt: at(400), published: true },
  ])
  const left = async () => {
    const local = like(tombstones.uri, 'https://pruned.test/%')
    return (await db.select().from(tombstones).where(local)).map(({ uri }) => uri.slice(20))
  }
  await pruneTombstones(context())
  expect((await left()).length).toBe(202)
  await pruneTombstones(context())
  expect((await left()).toSorted()).toEqual(['told', 'young'])
})
