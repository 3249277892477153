import { describe, expect, it } from 'vitest'
import { portRecorder } from '../support/capture-delivery'
import { fakeQueue } from '../support/fake-queue'
import { fediverse } from '../support/fediverse'
import { processActivity } from '../support/fediverse/process-activity'
import { given } from '../support/given'
import { freshHost, page } from '../support/given-page'
import { relation } from '../support/given-relationships'
import { runJob } from '../support/run-job'

/** Requests to other servers that a remote account can cause by repeating itself: each kind is bounded. */

const times = (length: number) => Array.from({ length }, (_, index) => index)

describe('fetch limits of a remote account', () => {
  it('fetches at most six targets of a Move an hour', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    await relation.follow(alice, peer)
    const mark = fediverse.network.mark()
    for (const index of times(12))
      await processActivity(peer, peer.move({ uri: `https://moved-to${index}.test/users/x` }))
    const asked = fediverse.network.since(mark).filter(({ url }) => url.includes('moved-to'))
    expect(asked).toHaveLength(6)
  })

  it('fetches at most six follower lists an hour', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    await relation.follow(alice, peer)
    const recorder = portRecorder()
    for (const index of times(12)) {
      const digest = index.toString(16).padStart(64, '0')
      const told = `collectionId="${peer.followers}", url="${peer.uri}/synchronization", digest="${digest}"`
      await peer.send(peer.activity('Dance', peer.uri), {
        headers: { 'collection-synchronization': told },
        overrides: recorder.overrides,
      })
    }
    expect(recorder.read().jobs.filter(({ kind }) => kind === 'sync-followers')).toHaveLength(6)
  })

  it('fetches at most sixty linked pages of one registrable domain a minute', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const host = freshHost()
    const { ctx, jobs } = fakeQueue()
    for (const index of times(65)) {
      const url = page(`https://p${index}.${host}/`, '<meta property="og:title" content="x">')
      const content = `<p><a href="${url}">x</a></p>`
      await processActivity(
        peer,
        peer.create(peer.note({ mentions: [fediverse.local(alice)], content })),
        ctx,
      )
    }
    const outcomes: string[] = []
    for (const job of jobs.splice(0)) outcomes.push((await runJob(ctx, job)).kind)
    const asked = fediverse.network.requests('https://').filter(({ url }) => url.includes(host))
    expect(asked).toHaveLength(60)
    expect(outcomes.filter((kind) => kind === 'ignored').length).toBeGreaterThanOrEqual(5)
  })
})
