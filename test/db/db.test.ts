import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { counters } from '../../src/db/schema'
import { context } from '../support/test-app'

it('accepts raw statements with parameters in a batch', async () => {
  const { db } = context()
  const [, found] = await db.batch([
    db.run(sql`insert into ${counters} (name, value) values (${"it's raw"}, ${7})`),
    db.select().from(counters).where(sql`name = ${"it's raw"}`),
  ])
  expect(found).toEqual([{ name: "it's raw", value: 7 }])
})

it('builds the text of a raw statement once, however often Drizzle asks', () => {
  const raw = context().db.run(sql`select ${1}`)
  expect(raw.getQuery()).toBe(raw.getQuery())
})
