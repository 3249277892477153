import { beforeEach, describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { runCourierAlarms } from '../../support/courier'
import { fediverse } from '../../support/fediverse'
import { given, type TestAccount } from '../../support/given'
import type { KnownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { settleLateWork } from '../../support/test-app'
import { notificationsOf } from '../../support/viewer-state'
import { wireFrom } from '../../support/wire-from'

let ada: TestAccount
let jo: KnownPeer

beforeEach(async () => {
  ada = await given.account()
  jo = await given.peer()
})

type Sample = readonly [name: string, actor: string, origin: string]

const lemmy: Sample = ['lemmy-0.19-create-private-message', 'https://lemmy.test/u/jo', 'https://lemmy.test']
const documents: readonly Sample[] = [
  lemmy,
  ['lemmy-1.0-create-private-message', 'https://lemmy.test/u/jo', 'https://lemmy.test'],
  ['pleroma-2.9-chat-message', 'https://pleroma.test/users/pim', 'https://pleroma.test'],
]

const wire = ([name, actor, origin]: Sample, from: KnownPeer = jo) =>
  wireFrom(name, { from, to: ada, actor, renamed: { [`${origin}/`]: `${from.at.origin}/` } })

async function conversations(who: TestAccount) {
  const { body } = await as(who).get('/api/v1/conversations')
  return body
}

describe.each(documents)(
  'a message as in %s arrives as a direct post in a conversation, and notifies its reader',
  (...document) => {
    it('arrives as a direct post in a conversation, and notifies its reader', async () => {
      await relation.follow(ada, jo)
      expect((await jo.send(wire(document))).status).toBe(202)
      await settleLateWork()
      expect(await conversations(ada)).toMatchObject([
        {
          unread: true,
          accounts: [{ id: String(jo.id) }],
          last_status: { visibility: 'direct', mentions: [{ id: String(ada.id) }] },
        },
      ])
      expect(await notificationsOf(ada)).toEqual([`mention by ${jo.handle}`])
    })

    it('hides a message from everybody else, also from followers of its author', async () => {
      const fan = await given.account()
      await relation.follow(fan, jo)
      await jo.send(wire(document))
      await settleLateWork()
      const { body } = await as(ada).get(`/api/v1/accounts/${jo.id}/statuses`)
      const [{ id }] = Array.isArray(body) ? body : []
      expect((await as(fan).get(`/api/v1/statuses/${id}`)).status).toBe(404)
      expect((await as(fan).get('/api/v1/timelines/home')).body).toEqual([])
    })
  },
)

describe('a ChatMessage', () => {
  it('stores a public ChatMessage as a direct post, and drops one without recipients', async () => {
    const sent = wire(lemmy)
    const everybody = ['https://www.w3.org/ns/activitystreams#Public']
    const { object } = sent
    if (typeof object !== 'object' || object === null) throw new Error('no message')
    const fan = await given.account()
    await relation.follow(fan, jo)
    await jo.send({ ...sent, to: everybody, object: { ...object, to: everybody } })
    await settleLateWork()
    expect((await as(fan).get('/api/v1/timelines/home')).body).toEqual([])
  })

  it('sends a reply to a ChatMessage as a direct Note', async () => {
    await jo.send(wire(lemmy))
    await settleLateWork()
    const { body } = await as(ada).get('/api/v1/conversations')
    const [{ last_status: last }] = Array.isArray(body) ? body : []
    const answer = { status: `@${jo.handle} Yes`, in_reply_to_id: last.id, visibility: 'direct' }
    expect((await as(ada).post('/api/v1/statuses', answer)).status).toBe(200)
    await settleLateWork()
    await runCourierAlarms()
    expect(jo.received()).toMatchObject([
      { type: 'Create', object: { type: 'Note', inReplyTo: last.uri, to: [jo.uri], cc: [] } },
    ])
  })
})

describe('a post to several recipients without mentions', () => {
  it('shows a post to its unmentioned recipients without a notification', async () => {
    const ben = await given.account()
    const audience = [ada, ben].map((person) => fediverse.local(person).uri)
    const note = jo.note({ document: { to: audience, cc: [], tag: [] } })
    await jo.send(jo.create(note))
    await settleLateWork()
    for (const reader of [ada, ben]) {
      expect(await notificationsOf(reader)).toEqual([])
      const { body } = await as(reader).get(`/api/v1/accounts/${jo.id}/statuses`)
      expect(body).toMatchObject([{ uri: note.id }])
    }
  })
})
