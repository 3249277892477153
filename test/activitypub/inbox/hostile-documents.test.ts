import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { as } from '../../support/as'
import { type AttackScenario, attackScenario, expectRejected, runAttack } from '../../support/attack-scenario'
import { captureDelivery } from '../../support/capture-delivery'
import { fediverse } from '../../support/fediverse'
import type { Document } from '../../support/fediverse/documents'
import { clock, context } from '../../support/test-app'
import { corpus, wireText } from '../../wire/corpus'

/** The documents of the hostile corpus and larger ones, delivered by their author with a signature that holds. */

let scene: AttackScenario
const before = clock.now()

beforeAll(async () => {
  clock.set(new Date('2026-11-01T12:00:00.000Z'))
  scene = await attackScenario()
  clock.set(new Date('2026-11-01T12:00:00.000Z'))
})

afterAll(() => clock.set(before))

const noActivity = 'no activity'
const unknownStatus = 'status unknown, or not visible to the actor'
const withoutInbox = 'an actor without an inbox on its server'
const withoutName = 'an actor without a user name'

/** Reason for which a document is ignored; null where it is harmless once read, and accepted. */
const verdicts: Readonly<Record<string, string | null>> = {
  'accept-follow-of-others': 'accepts no local object',
  'activity-actor-embedded': unknownStatus,
  'activity-actor-of-another': 'Follow forwarded by another server',
  'activity-object-script': 'follows no local account',
  'activity-two-actors': unknownStatus,
  'activity-type-list': null,
  'activity-type-number': noActivity,
  'activity-type-unknown': 'unsupported type Unknown',
  'activity-without-actor': noActivity,
  'activity-without-id': unknownStatus,
  'activity-without-object': 'likes no identifiable status',
  'activity-wrong-kinds': 'moves another actor, or has no target',
  'actor-addresses': null,
  'actor-collections-elsewhere': null,
  'actor-id-credentials': 'updates an object of another server',
  'actor-id-scheme': 'updates an object of another server',
  'actor-inbox-elsewhere': withoutInbox,
  'actor-inbox-lookalike-host': withoutInbox,
  'actor-inbox-unprotected': withoutInbox,
  'actor-key-elsewhere': null,
  'actor-key-no-pem': null,
  'actor-key-of-another': null,
  'actor-keys-many': null,
  'actor-markup': null,
  'actor-two-types': null,
  'actor-username-list': withoutName,
  'actor-username-long': withoutName,
  'actor-username-markup': withoutName,
  'actor-username-path': withoutName,
  'actor-without-inbox': withoutInbox,
  'actor-wrong-kinds': null,
  'announce-forged-object': null,
  'collection-loop': 'creates an unsupported object',
  'create-object-of-another': 'forwarded, but irrelevant here',
  'cyclic-id': null,
  'delete-actor-of-another': 'deletes an object of another server',
  'delete-object-of-another': 'deletes an object of another server',
  empty: noActivity,
  'flag-nobody': 'reports nothing',
  'key-alone': 'updates an unsupported object',
  list: noActivity,
  'note-all-null': 'a status without an id',
  'note-author-elsewhere': 'a status on another server than its author',
  'note-author-lookalike-port': 'a status on another server than its author',
  'note-before-1970': null,
  'note-broken-attachments': null,
  'note-broken-tags': null,
  'note-cyclic-context': null,
  'note-deep': null,
  'note-duplicate-tags': null,
  'note-expanded': noActivity,
  'note-far-future': 'published in the future',
  'note-followers-of-another': 'nobody concerned',
  'note-graph': noActivity,
  'note-id-elsewhere': 'a status on another server than its author',
  'note-id-null': 'a status without an id',
  'note-markup': null,
  'note-next-day': null,
  'note-no-date': null,
  'note-numbers': 'nobody concerned',
  'note-only-required': 'nobody concerned',
  'note-own-base': 'a status without an id',
  'note-prefixed': 'nobody concerned',
  'note-prototype-keys': null,
  'note-public-lookalikes': 'nobody concerned',
  'note-quote-script': null,
  'note-soon': null,
  'note-unclosed-markup': null,
  'note-wrong-kinds': null,
  null: noActivity,
  number: noActivity,
  'question-bad-numbers': null,
  'question-no-options': null,
  'quote-authorization-partial': 'creates an unsupported object',
  'reaction-long': 'reacts with no readable emoji',
  'reaction-markup': 'reacts with no readable emoji',
  'reaction-no-picture': 'reacts with no readable emoji',
  'reaction-words': unknownStatus,
  text: noActivity,
  'undo-follow-of-another': 'undoes an activity of another actor',
  'undo-nested': 'unsupported Undo of Undo',
  'update-actor-of-another': 'updates an object of another server',
  'update-object-of-another': 'updates an object of another server',
  'vote-to-everybody': null,
  'vote-with-content': null,
}

describe('hostile documents', () => {
  it('the corpus has a case for every hostile document', () => {
    const names = corpus.filter(({ isHostile }) => isHostile).map(({ name }) => name.slice('hostile/'.length))
    expect(Object.keys(verdicts).sort()).toEqual([...names].sort())
  })

  it.each(Object.entries(verdicts).filter((row): row is [string, string] => row[1] !== null))(
    'refuses or ignores a hostile document and logs the reason: %s',
    async (name, reason) => {
      const after = await runAttack(() => captureDelivery(scene.eve, deliverable(name)))
      expectRejected(after, { status: reason === noActivity ? 400 : 202, reason })
    },
  )

  it.each(Object.entries(verdicts).filter(([, reason]) => reason === null))(
    'a hostile document changes no data of others: %s (pitfalls 36, 37, 48) [T-064]',
    async (name) => {
      const after = await runAttack(() => captureDelivery(scene.eve, deliverable(name)))
      expect(after).toMatchObject({ status: 202, errors: [], foreign: [] })
      // As before for the next one: what its own document says.
      await captureDelivery(scene.eve, scene.eve.update())
    },
  )
})

let deliveries = 0

/** The document as its author delivers it: what is no activity becomes one, and each has its own id. */
function deliverable(name: string): string {
  deliveries += 1
  const text = wireText(`hostile/${name}`)
  const made: unknown = JSON.parse(text)
  const document =
    isDocument(made) && 'type' in made && !/^(activity|note-(graph|expanded))/.test(name) ? made : null
  const bare = document !== null && !('actor' in document)
  const whole = bare ? JSON.stringify(wrapped(name, document)) : text
  return whole
    .replaceAll('/activities/1"', `/activities/${deliveries}"`)
    .replaceAll('/notes/1"', `/notes/${deliveries}"`)
}

function wrapped(name: string, document: Document): Document {
  const { to = [], cc = [] } = document
  return /^(actor|key)/.test(name)
    ? scene.eve.activity('Update', document)
    : scene.eve.activity('Create', document, { to, cc })
}

describe('a body', () => {
  it('does not read a body of more than one mebibyte, and logs that', async () => {
    const body = JSON.stringify(scene.eve.like(scene.posts.public, { padding: 'x'.repeat(1_048_576) }))
    const after = await runAttack(() => captureDelivery(scene.eve, body))
    expectRejected(after, { status: 413, reason: 'The request body is too large' })
  })

  it('does not read a body of a type other than ActivityPub, and logs that', async () => {
    const after = await runAttack(() =>
      captureDelivery(scene.eve, scene.eve.like(scene.posts.public), {
        headers: { 'content-type': 'text/html' },
      }),
    )
    expectRejected(after, { status: 415, reason: 'The content type is none of ActivityPub' })
  })

  const deep = (open: string, close: string) => `${open.repeat(30_000)}1${close.repeat(30_000)}`

  it.each([
    ['lists', deep('[', ']')],
    ['objects', deep('{"object":', '}')],
    ['contexts', deep('{"@context":', '}')],
  ])('survives a deeply nested body: %s', async (_, nested) => {
    const { eve } = scene
    for (const field of ['object', 'actor', 'to', 'type', 'id', 'target', '@context', 'tag']) {
      const text = JSON.stringify(
        eve.activity('Create', { type: 'Note', [field]: 'HERE' }, field === 'tag' ? {} : { [field]: 'HERE' }),
      )
      const after = await runAttack(() => captureDelivery(eve, text.replaceAll('"HERE"', nested)))
      expect(after).toMatchObject({ errors: [], changes: [], jobs: [] })
      expect([202, 400], `${field} was answered ${after.status}`).toContain(after.status)
      expect(after.reasons).toHaveLength(1)
    }
  })

  it.each([
    ['cut short', (text: string) => text.slice(0, -2)],
    ['two documents', (text: string) => `${text}${text}`],
    ['a mark of byte order and words', () => '\uFEFFhello'],
  ])('refuses a body that is not JSON, with the reason: %s', async (_, spoil) => {
    const text = spoil(JSON.stringify(scene.eve.like(scene.posts.public)))
    expectRejected(await runAttack(() => captureDelivery(scene.eve, text)), {
      status: 400,
      reason: noActivity,
    })
  })
})

describe('markup in what others send (pitfall 58)', () => {
  it('sanitises remote markup wherever it is shown [T-065]', async () => {
    const { eve, ada } = scene
    const attack =
      '<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">a</a><form action="https://evil.test"><input></form><svg onload=alert(1)>'
    const note = eve.question({
      mentions: [fediverse.local(ada)],
      content: `<p onclick="alert(1)">hello ${attack}</p>`,
      options: [attack, 'b'],
      document: {
        summary: attack,
        attachment: [
          { type: 'Document', mediaType: 'image/png', url: 'https://evil.test/a.png', name: attack },
        ],
      },
    })
    expect(await captureDelivery(eve, eve.create(note))).toMatchObject({ status: 202, reasons: [] })
    const [{ id } = { id: 0 }] = await context().db.all<{ id: number }>(
      `select id from statuses where uri = '${note.id}'`,
    )
    const status = Status.parse((await as(ada).get(`/api/v1/statuses/${id}`)).body)
    expect(status.content).toBe('<p>hello a</p>')
    for (const html of [status.content, status.account.note])
      expect(html).not.toMatch(/<(script|img|form|input|svg)|on\w+=|javascript:/i)
  })
})

describe('a Move to an account that does not want it (pitfall 52)', () => {
  it('stores neither a Move to an account without the alias nor the target of the Move [T-066]', async () => {
    const { eve } = scene
    const unwilling = await fediverse.actor()
    const after = await runAttack(() => captureDelivery(eve, eve.move(unwilling)))
    expect([after.status, after.reasons]).toEqual([
      202,
      ['the target of the move does not list the account as an alias'],
    ])
    expect(after.changes.filter(({ row }) => row['id'] !== -99 && row['account_id'] !== -99)).toEqual([])
  })
})

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
