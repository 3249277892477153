import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../support/as'
import { fediverse } from '../support/fediverse'
import { given } from '../support/given'
import { importedIds, importsPath, openedImport } from '../support/given-archive'
import { uploaded } from '../support/given-media'
import { relation } from '../support/given-relationships'
import { actorDocument, archivedPost } from '../support/mastodon-archive'
import { signedIn } from '../support/members'
import { storedTexts } from '../support/stored-texts'

/** Every C0 and C1 control character but tab and line feed. */
const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code))
  .filter((character) => /\p{Cc}/u.test(character) && !/[\t\n]/.test(character))
  .join('')
/** A text nobody else has, with control characters around a place that its test names. */
const dirty = (place: string) => `<p>${place}-a${controls}b\r\nc&#1;&#129;&#13;d\te</p>`
const Created = z.looseObject({ id: z.string() })

/** Fields of the database that hold a control character, and places whose text was stored. */
async function swept(places: readonly string[]) {
  const texts = await storedTexts(env.DB)
  const isUnclean = (text: string) =>
    /(?![\t\n])\p{Cc}/u.test(text) || /\\u00(?:[01][0-9a-f]|7f|[89][0-9a-f])|\\[bfr]/.test(text)
  return {
    unclean: texts.filter(({ text }) => isUnclean(text)).map(({ column }) => column),
    missing: places.filter((place) => !texts.some(({ text }) => text.includes(`${place}-ab`))),
  }
}

const clean = { unclean: [], missing: [] }

describe('control characters', () => {
  it('the API stores no control character that an app sends', async () => {
    const member = await given.account()
    const bob = await given.account()
    const { id: picture } = await uploaded(member, 'rgb.png', { description: dirty('picture') })
    await relation.follow(member, bob)
    const calls = [
      ['POST', '/api/v1/statuses', { status: dirty('marked'), content_type: 'text/markdown' }],
      [
        'POST',
        '/api/v1/statuses',
        { status: dirty('text'), spoiler_text: dirty('warning'), media_ids: [picture] },
      ],
      [
        'POST',
        '/api/v1/statuses',
        { status: 'x', poll: { options: [dirty('option'), 'b'], expires_in: 3_600 } },
      ],
      [
        'POST',
        '/api/v1/statuses',
        { status: dirty('later'), scheduled_at: new Date(Date.now() + 10 ** 10).toISOString() },
      ],
      [
        'PATCH',
        '/api/v1/accounts/update_credentials',
        {
          display_name: 'name-a\u0000b\u0085',
          note: dirty('note'),
          fields_attributes: [{ name: dirty('field'), value: dirty('value') }],
        },
      ],
      [
        'POST',
        '/api/v2/filters',
        { title: dirty('filter'), context: ['home'], keywords_attributes: [{ keyword: dirty('keyword') }] },
      ],
      ['POST', '/api/v1/lists', { title: dirty('list') }],
      ['POST', `/api/v1/accounts/${bob.id}/note`, { comment: dirty('comment') }],
      ['POST', '/api/v1/reports', { account_id: String(bob.id), comment: dirty('report') }],
    ] as const
    for (const [method, path, body] of calls) {
      const answer =
        method === 'POST' ? await as(member).post(path, body) : await as(member).patch(path, body)
      expect([path, answer.status]).toEqual([path, 200])
    }
    const places =
      'marked picture text warning option later name note field value filter keyword list comment report'
    expect(await swept(places.split(' '))).toEqual(clean)
  })

  it('pages store no control character that a form or a file sends', async () => {
    const { browser } = await signedIn()
    const fields = {
      display_name: 'page-name-a\u0000b',
      note: dirty('page-note'),
      field_name_1: dirty('page-field'),
    }
    const done = await browser.upload('/settings/profile', { ...fields, field_value_1: 'x' })
    expect(done.status).toBe(303)
    const file = new File([`"page-list-a${controls.replace('\r', '')}b",wren@there.test`], 'lists.csv')
    const imported = await browser.upload('/settings/imports', { kind: 'lists', mode: 'merge', file })
    expect(imported.status).toBe(303)
    expect(await swept(['page-name', 'page-note', 'page-field', 'page-list'])).toEqual(clean)
  })

  it('the inbox stores no control character of another server', async () => {
    const member = await given.account()
    const peer = await fediverse.actor({
      document: {
        name: dirty('peer-name'),
        summary: dirty('peer-note'),
        attachment: [{ type: 'PropertyValue', name: dirty('peer-field'), value: dirty('peer-value') }],
      },
    })
    const options = ['peer-option', 'peer-other'].map((place) => ({ type: 'Note', name: dirty(place) }))
    const described = { type: 'Document', mediaType: 'image/png', url: `https://${peer.host}/a.png` }
    const document = {
      type: 'Question',
      oneOf: options,
      content: dirty('peer-text'),
      summary: dirty('peer-warning'),
      attachment: [{ ...described, name: dirty('peer-picture') }],
    }
    const to = ['https://www.w3.org/ns/activitystreams#Public', fediverse.local(member).uri]
    const sent = await peer.send(peer.create(peer.note({ document: { ...document, to } })))
    expect(sent.status).toBe(202)
    const places = 'name note field value option other text warning picture'
    expect(await swept(places.split(' ').map((place) => `peer-${place}`))).toEqual(clean)
  })

  it('imports store no control character of an archive', async () => {
    const member = await given.account()
    const poll = {
      options: { [dirty('old-option')]: 1, b: 2 },
      endTime: '2020-01-02T00:00:00Z',
      votersCount: 3,
    }
    await importedIds(member, [
      archivedPost(1, '2020-01-01T00:00:00Z', dirty('old-text'), { summary: dirty('old-warning'), poll }),
    ])
    const { id } = Created.parse(await openedImport(member))
    const actor = { ...actorDocument(), name: 'old-name-a\u0000b', summary: dirty('old-note') }
    const restored = await as(member).post(`${importsPath}/${id}/profile`, { actor })
    expect(restored.status).toBe(200)
    const places = ['old-option', 'old-text', 'old-warning', 'old-name', 'old-note']
    expect(await swept(places)).toEqual(clean)
  })
})
