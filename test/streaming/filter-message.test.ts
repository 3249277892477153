import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { execute } from '../../src/db/query'
import { anonymousViewer, viewerById } from '../../src/domain/core/viewer'
import { CompiledFilters } from '../../src/domain/policy/filters/compiled'
import { findRules } from '../../src/domain/streams/find-rules'
import type { StreamMessage } from '../../src/streaming/messages'
import { subjectOfNotification, subjectOfStatus } from '../../src/streaming/publish-messages'
import { filterForViewer } from '../../src/streaming/rules-cache'
import { loadUnfiltered, statusesById } from '../../src/view/load/statuses'
import { presentStatus } from '../../src/view/present/status'
import { as } from '../support/as'
import { given, type TestAccount } from '../support/given'
import { givenFilter } from '../support/given-filter'
import { relation } from '../support/given-relationships'
import { clock, context } from '../support/test-app'

const Entity = z.looseObject({})

/** A status as it is on its way to `viewer`, or to all who listen to a shared stream, before it is weighed. */
async function onItsWay(id: string, viewer: TestAccount | null): Promise<StreamMessage> {
  const ctx = context()
  const ref = viewer === null ? anonymousViewer : viewerById(viewer.id)
  const bundle = await execute(ctx.db, loadUnfiltered(ctx, ref, statusesById([Number(id)])))
  const payload = presentStatus({ config: ctx.config, now: clock.now() }, bundle, Number(id))
  const about = subjectOfStatus(bundle, Number(id))
  return { key: id, event: 'update', payload: JSON.stringify(payload), channels: [], about }
}

async function weigh(viewer: TestAccount, message: StreamMessage, channel: string) {
  const { hiding, filters } = await findRules(context(), viewer.id)
  const rules = { accountId: viewer.id, hiding, filters: new CompiledFilters(filters) }
  const sent = filterForViewer(rules, message, { channel, now: clock.now() })
  return sent === null ? null : Entity.parse(JSON.parse(sent.payload ?? ''))
}

async function read(viewer: TestAccount, id: string) {
  return Entity.parse((await as(viewer).get(`/api/v1/statuses/${id}`)).body)
}

/** Fields that are equal for every viewer; `filtered` and the viewer's own state are left out. */
function common(entity: Record<string, unknown>): unknown {
  const { favourited: _f, reblogged: _r, bookmarked: _b, muted: _m, quote_approval: _a, ...rest } = entity
  const quote = Entity.nullable().parse(rest['quote'])
  if (quote === null) return rest
  const quoted = Entity.nullable().parse(quote['quoted_status'])
  return { ...rest, quote: { ...quote, quoted_status: quoted === null ? null : common(quoted) } }
}

async function people() {
  const [viewer, author, other] = await given.accounts(3)
  if (viewer === undefined || author === undefined || other === undefined) throw new Error('nobody')
  return { viewer, author, other }
}

async function quoting(by: TestAccount, quoted: string, text: string): Promise<string> {
  const { body } = await as(by).post('/api/v1/statuses', { status: text, quoted_status_id: quoted })
  return z.object({ id: z.string() }).parse(body).id
}

describe('a message to a subscriber', () => {
  it('a message has filtered like the API: of a status, of a reblog and its status, of a quote', async () => {
    const { viewer, author, other } = await people()
    await givenFilter(viewer, { words: ['thrush'] })
    await givenFilter(viewer, { title: 'Wrens', words: ['wren'] })
    const thrush = await given.status({ by: author, text: 'A thrush', quotePolicy: 'public' })
    const quote = await quoting(other, thrush.id, 'A wren on')
    const share = z
      .object({ id: z.string() })
      .parse((await as(other).post(`/api/v1/statuses/${thrush.id}/reblog`)).body).id
    for (const id of [thrush.id, quote, share])
      expect(await weigh(viewer, await onItsWay(id, viewer), 'user')).toEqual(await read(viewer, id))
    for (const id of [thrush.id, quote])
      expect(common((await weigh(viewer, await onItsWay(id, null), 'public')) ?? {})).toEqual(
        common(await read(viewer, id)),
      )
  })

  it('a message has an empty list of matches where nothing matches', async () => {
    const { viewer, author } = await people()
    const { id } = await given.status({ by: author })
    expect(await weigh(viewer, await onItsWay(id, null), 'hashtag:wren')).toMatchObject({ filtered: [] })
    expect(await weigh(viewer, await onItsWay(id, viewer), 'user')).toMatchObject({ filtered: [] })
  })

  it('a hiding filter for home removes it from home and lists, and it has filtered elsewhere', async () => {
    const { viewer, author } = await people()
    await givenFilter(viewer, { context: ['home'], filter_action: 'hide', words: ['thrush'] })
    const { id } = await given.status({ by: author, text: 'A thrush' })
    expect(await weigh(viewer, await onItsWay(id, viewer), 'user')).toBeNull()
    expect(await weigh(viewer, await onItsWay(id, viewer), 'list:7')).toBeNull()
    const marked = { filtered: [expect.objectContaining({ keyword_matches: ['thrush'] })] }
    expect(await weigh(viewer, await onItsWay(id, null), 'public:local')).toMatchObject(marked)
  })

  it('a message is kept where the words are the subscriber’s own, or the filter is for other contexts', async () => {
    const { viewer, author } = await people()
    await givenFilter(viewer, { context: ['home'], filter_action: 'hide', words: ['thrush'] })
    await givenFilter(viewer, { context: ['public'], filter_action: 'hide', words: ['wren'] })
    const own = await given.status({ by: viewer, text: 'A thrush' })
    const { id } = await given.status({ by: author, text: 'A wren' })
    expect(await weigh(viewer, await onItsWay(own.id, viewer), 'user')).toMatchObject({ id: own.id })
    expect(await weigh(viewer, await onItsWay(id, viewer), 'user')).toMatchObject({ id })
  })

  it('a message has no filtered by an expired filter', async () => {
    const { viewer, author } = await people()
    await givenFilter(viewer, { words: ['thrush'], expires_in: 60 })
    const { id } = await given.status({ by: author, text: 'A thrush' })
    const message = await onItsWay(id, viewer)
    expect(await weigh(viewer, message, 'user')).toMatchObject({ filtered: [expect.anything()] })
    clock.advance(61_000)
    expect(await weigh(viewer, message, 'user')).toMatchObject({ filtered: [] })
  })

  it('a message has the status in a notification with its matches', async () => {
    const { viewer, author } = await people()
    await givenFilter(viewer, { context: ['home'], filter_action: 'hide', words: ['thrush'] })
    const { id } = await given.status({ by: author, text: `A thrush @${viewer.username}` })
    const ctx = context()
    const bundle = await execute(
      ctx.db,
      loadUnfiltered(ctx, viewerById(viewer.id), statusesById([Number(id)])),
    )
    const status = presentStatus({ config: ctx.config, now: clock.now() }, bundle, Number(id))
    const message: StreamMessage = {
      key: 'n',
      event: 'notification',
      payload: JSON.stringify({ id: '1', status }),
      channels: [],
      about: subjectOfNotification(bundle, { id: author.id, domain: null }, Number(id)),
    }
    expect(await weigh(viewer, message, 'user')).toMatchObject({
      status: { id, filtered: [expect.objectContaining({ keyword_matches: ['thrush'] })] },
    })
  })

  const quoteStates = [
    { how: 'blocks', state: 'blocked_account', bind: relation.block },
    { how: 'mutes', state: 'muted_account', bind: relation.mute },
    {
      how: 'is blocked by',
      state: 'unauthorized',
      bind: (viewer: TestAccount, author: TestAccount) => relation.block(author, viewer),
    },
  ]
  for (const { how, state, bind } of quoteStates)
    it(`shows a quote of an account the subscriber ${how} as ${state}, like the API`, async () => {
      const { viewer, author, other } = await people()
      const quoted = await given.status({ by: author, text: 'Quoted', quotePolicy: 'public' })
      const id = await quoting(other, quoted.id, 'Look')
      await bind(viewer, author)
      const sent = await weigh(viewer, await onItsWay(id, null), 'public')
      expect(common(sent ?? {})).toEqual(common(await read(viewer, id)))
      expect(sent).toMatchObject({ quote: { state } })
    })
})
