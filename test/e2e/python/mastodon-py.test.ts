import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import * as z from 'zod'
import { operate } from '../support/operator'
import { newName, newPerson, newTag, origin } from '../support/people'
import { methodsOfMastodonPy, talkTo, withMastodonPy } from '../support/python'
import { authorize, newMember, signUp } from '../support/sign-in'
import { newStaff } from '../support/staff'
import { Visitor } from '../support/visitor'

/** Every public method of the installed Mastodon.py, whatever its version. */
const methods = methodsOfMastodonPy()

const Outcome = z.object({
  name: z.string(),
  /** The class of what was raised; null where all was as it should be. */
  error: z.string().nullable(),
  text: z.string(),
  line: z.string().default(''),
  called: z.boolean().default(true),
})
type Outcome = z.infer<typeof Outcome>

const Question = z.object({ ask: z.object({ code: z.string() }) })

/** Methods that fail with Mastodon 4.6 just the same, with the error. */
const failsWithMastodon: Readonly<Record<string, { readonly error: RegExp; readonly text: RegExp }>> = {
  // Gone since 3.0, and the one route of those that stays away.
  search_v1: { error: /^MastodonNotFoundError$/, text: /404/ },
  // The library asks no server newer than 2.5 for it.
  reports: { error: /^MastodonVersionError$/, text: /removed in Mastodon 2\.5\.0/ },
  // Needs a package Debian has not; nothing is asked of the server.
  push_subscription_decrypt_push: { error: /^NotImplementedError$/, text: /webpush feature dependencies/ },
  // Needs a package Debian has not; its package of the same name is another one.
  decode_blurhash: { error: /^(NotImplemented|Attribute)Error$/, text: /blurhash/ },
}

withMastodonPy('every method of Mastodon.py', () => {
  const outcomes = new Map<string, Outcome>()
  const folder = mkdtempSync(join(tmpdir(), 'fieldfare-python-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  beforeAll(async () => {
    const people = ['alice', 'bob', 'carol', 'mallory'].map((name) => newPerson(name))
    const [alice, bob, carol, target] = await Promise.all(people)
    const visitor = new Visitor()
    const member = await signUp(visitor, newMember())
    const announced = await operate('POST', '/api/fieldfare/v1/admin/announcements', {
      text: 'The fieldfares are here',
    })
    const { id: announcement } = z.object({ id: z.string() }).parse(announced)
    const place = {
      origin,
      alice,
      bob,
      carol,
      target,
      owner: await newStaff('owner'),
      member,
      announcement,
      run: Math.floor(Math.random() * 0xffff),
      newcomer: newName('wren'),
      tag: newTag('python'),
      push: `http://127.0.0.1:${inject('pushPort')}/python`,
      picture: join(import.meta.dirname, '../../data/media/rgb.png'),
    }
    await talkTo('every_method.py', place, async (line) => {
      const question = Question.safeParse(line)
      if (!question.success) {
        const outcome = Outcome.parse(line)
        outcomes.set(outcome.name, outcome)
        return null
      }
      return { code: await codeAt(visitor, member, question.data.ask.code) }
    })
    await operate('DELETE', `/api/fieldfare/v1/admin/announcements/${announcement}`, {})
  }, 180_000)

  async function codeAt(visitor: Visitor, member: Parameters<typeof authorize>[1], address: string) {
    const page = await authorize(visitor, member, address)
    return page.url.searchParams.get('code')
  }

  it('every method of Mastodon.py is called', () => {
    expect(methods.length).toBeGreaterThan(150)
    expect([...outcomes.keys()].toSorted()).toEqual(methods.toSorted())
    expect([...outcomes.values()].filter(({ called }) => !called)).toEqual([])
  })

  const [working, failing] = [
    methods.filter((name) => !(name in failsWithMastodon)),
    methods.filter((name) => name in failsWithMastodon),
  ]

  it.each(working)('%s works', (name) => {
    const { error, text, line } = outcomes.get(name) ?? { error: 'not called', text: '', line: '' }
    expect(error, `${line}: ${text}`).toBeNull()
  })

  it.each(failing)('%s fails like with Mastodon', (name) => {
    const { error = /^$/, text = /^$/ } = failsWithMastodon[name] ?? {}
    expect(outcomes.get(name)).toMatchObject({
      error: expect.stringMatching(error),
      text: expect.stringMatching(text),
    })
  })
})
