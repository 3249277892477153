import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { statusUri } from '../../../src/lib/addresses'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { storedStatus } from '../../support/given-stored'
import { remoteMasses } from '../../support/masses'

/** A status of `author` with so many favourites, reblogs and notifications of these. */
async function viralStatus(author: TestAccount, count: number) {
  const id = await storedStatus({ accountId: author.id })
  const { from } = await remoteMasses({ count, inboxes: 100 })
  const accounts = `from accounts where id >= ${from} and id < ${from} + ${count}`
  const notification = (type: string, start: number) =>
    env.DB.prepare(`insert into notifications (id, account_id, type, from_account_id, status_id, created_at)
      select id + ${start}, ${author.id}, '${type}', id, ${id}, 0 ${accounts}`)
  await env.DB.batch([
    env.DB.prepare(`insert into favourites (id, account_id, status_id) select id, id, ${id} ${accounts}`),
    env.DB.prepare(`insert into statuses (id, account_id, uri, local, visibility, reblog_of_id, conversation_id, created_at)
      select id, id, 'https://viral.test/' || id, 0, 'public', ${id}, id, 0 ${accounts}`),
    notification('favourite', 3_000_000),
    notification('reblog', 6_000_000),
    env.DB.prepare(
      `update statuses set favourites_count = ${count}, reblogs_count = ${count} where id = ${id}`,
    ),
  ])
  return { id, uri: statusUri('https://fieldfare.test', author.username, id) }
}

/** Rows read by undoing interactions with a status of so many. */
async function undone(count: number) {
  const [author, reader, peer] = [await given.account(), await given.account(), await given.peer()]
  const { id, uri } = await viralStatus(author, count)
  const [like, reaction, announce] = [peer.like(uri), peer.emojiReact(uri, '🎉'), peer.announce(uri)]
  for (const activity of [like, reaction, announce]) expect((await peer.send(activity)).status).toBe(202)
  await as(reader).post(`/api/v1/statuses/${id}/favourite`)
  const notified = async (type: string) =>
    env.DB.prepare(
      'select count(*) n from notifications where status_id = ? and type = ? and from_account_id in (?, ?)',
    )
      .bind(id, type, peer.id, reader.id)
      .first('n')
  expect([await notified('favourite'), await notified('reblog')]).toEqual([2, 1])
  const rows = {
    unreact: (await peer.send(peer.undo(reaction))).costs.rowsRead,
    unlike: (await peer.send(peer.undo(like))).costs.rowsRead,
    unfavourite: (await as(reader).post(`/api/v1/statuses/${id}/unfavourite`)).costs.rowsRead,
  }
  expect(await notified('favourite')).toBe(0)
  return rows
}

it('a favourite or reaction is undone at the same cost with 20 and 2,000 others', async () => {
  const [few, many] = [await undone(20), await undone(2_000)]
  for (const kind of ['unreact', 'unlike', 'unfavourite'] as const)
    expect(many[kind], kind).toBeLessThanOrEqual(few[kind] + 5)
  expect(many.unlike).toBeLessThanOrEqual(40)
})

it('a status is deleted at 12 rows for each row that goes with it: ten times as many read ten times as much', async () => {
  const deleted = async (count: number) => {
    const author = await given.account()
    const { id } = await viralStatus(author, count)
    const { costs, status } = await as(author).delete(`/api/v1/statuses/${id}`)
    expect(status).toBe(200)
    expect(
      await env.DB.prepare('select count(*) n from favourites where status_id = ?').bind(id).first('n'),
    ).toBe(0)
    return costs.rowsRead
  }
  const [few, many] = [await deleted(200), await deleted(2_000)]
  expect(many).toBeLessThanOrEqual(11 * few)
  expect(many).toBeLessThanOrEqual(12 * 4 * 2_000)
})
