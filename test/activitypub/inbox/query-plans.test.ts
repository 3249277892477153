import { expect, it } from 'vitest'
import { fediverse } from '../../support/fediverse'
import { processActivity } from '../../support/fediverse/process-activity'
import { given } from '../../support/given'
import { followed } from '../../support/given-remote'
import { recordingDb, scannedTables } from '../../support/recording-db'
import { clock, context } from '../../support/test-app'

/** No statement behind what others send may read a table from end to end, however the planner feels. */
it('posts, edits, reblogs, favourites, votes and deletions find their rows by an index', async () => {
  const [reader, peer] = [await given.account(), await given.peer()]
  await followed(reader, peer, { notify: true })
  const local = fediverse.local(reader)
  const poll = { options: ['a', 'b'], expiresInSeconds: 300, multiple: false, hideTotals: false }
  const status = await given.status({ by: reader, poll })
  const address = `${local.uri}/statuses/${status.id}`
  const parent = peer.note()
  const child = peer.note({ inReplyTo: parent.id, mentions: [local], hashtags: ['wren'] })
  const question = peer.question({ inReplyTo: address })
  const { db, asked } = recordingDb()
  const ctx = context({ db })
  const hand = (activity: Parameters<typeof processActivity>[1]) => processActivity(peer, activity, ctx)
  for (const note of [child, parent, question]) expect((await hand(peer.create(note))).kind).toBe('done')
  clock.advance(60_000)
  const edited = { ...child, content: '<p>New.</p>', updated: clock.now().toISOString(), tag: [] }
  const tally = { ...question, votersCount: 3 }
  const interactions = [
    peer.update(edited),
    peer.update(tally),
    peer.pin('Add', parent.id),
    peer.pin('Remove', parent.id),
    peer.announce(address),
    peer.like(address),
    peer.emojiReact(address, '🎉'),
    peer.vote({ id: address, author: local.uri }, 'a'),
    peer.delete(child),
    peer.delete(peer.note()),
  ]
  for (const interaction of interactions) expect((await hand(interaction)).kind).toBe('done')
  const scans: string[] = []
  for (const one of asked)
    for (const table of await scannedTables(one)) scans.push(`${table}: ${one.text.slice(0, 800)}`)
  expect(asked.length).toBeGreaterThan(60)
  expect(scans).toEqual([])
})
