import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { Status } from '../../src/contract/entities/status'
import { List } from '../../src/contract/entities/timelines'
import { statuses } from '../../src/db/schema'
import type { Attachment } from '../../src/db/values'
import { addSavedReply, savedReplyLimits } from '../../src/domain/drafts/saved-replies'
import { saveDraft } from '../../src/domain/drafts/store'
import { as } from './as'
import type { Browser } from './browser'
import { freshName, given, type TestAccount } from './given'
import { relation } from './given-relationships'
import { viewerOf } from './given-status'
import { storedCard, storedPicture } from './given-stored'
import { signedIn } from './members'
import { updateSearchIndex } from './searching'
import { clock, context } from './test-app'

/** A member whose home, lists, marks and notifications are full, with posts of every kind. */
export interface Crowd {
  readonly member: TestAccount
  readonly browser: Browser
  /** Account whose profile is full, and which is not followed. */
  readonly author: TestAccount
  /** Twenty accounts that the member and the author follow, and that follow the author. */
  readonly people: readonly TestAccount[]
  /** Posts of home, newest first. */
  readonly posts: readonly string[]
  /** A post by the author with twenty replies. */
  readonly thread: string
  /** A post of the member. */
  readonly own: string
  readonly list: string
  /** Number of saved drafts. */
  readonly drafts: number
  /** Number of saved replies. */
  readonly savedReplies: number
  /** Hashtag of all posts. */
  readonly tag: string
  /** Word of all posts. */
  readonly word: string
}

const full = 20
const words =
  'wren owl rook hedge barley estuary frost lantern gravel orchard thistle meadow ferry beacon amber copper drizzle saffron willow harbour kestrel plover'.split(
    ' ',
  )

/** Words of three hundred letters, other ones for each number: alike texts would be packed to nothing. */
function textOf(seed: number, { tag, word }: Pick<Crowd, 'tag' | 'word'>): string {
  let state = seed * 7_919 + 1
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return `${words[state % words.length]}${state % 97}`
  }
  return `${Array.from({ length: 40 }, next).join(' ')} ${word} https://${next()}.test/${next()} #${tag}`
}

/** Kinds of posts, by turns. */
const kinds = ['plain', 'picture', 'pictures', 'poll', 'warning', 'quote', 'card', 'boost', 'reply'] as const

const picture: Attachment = {
  ...storedPicture,
  preview: { key: 'media/small.webp' },
  description: 'Two thrushes in a bare tree, one of them with a berry in its beak',
  blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
  meta: { original: { width: 1200, height: 800 }, small: { width: 588, height: 392 } },
}

type Named = Pick<Crowd, 'tag' | 'word'>

/** Writes twenty posts of every kind by turns of the authors. Answers their ids, newest first. */
async function write(
  authors: readonly TestAccount[],
  { first, named, replyTo }: { readonly first: string; readonly named: Named; readonly replyTo?: string },
): Promise<readonly string[]> {
  const ids: string[] = []
  for (let number = 0; number < full; number += 1) {
    clock.advance(1_000)
    const author = authors[number % authors.length]
    if (author === undefined) throw new Error('Posts need authors')
    const id = await writeOne(author, { number, first, named, replyTo })
    ids.unshift(id)
  }
  return ids
}

interface Written {
  readonly number: number
  /** A post to quote, boost and reply to. */
  readonly first: string
  readonly named: Named
  readonly replyTo: string | undefined
}

async function writeOne(author: TestAccount, { number, first, named, replyTo }: Written): Promise<string> {
  const kind = kinds[number % kinds.length]
  const call = as(author)
  const post = async (fields: Record<string, unknown>) => {
    const { body } = await call.post('/api/v1/statuses', {
      status: textOf(author.id + number, named),
      in_reply_to_id: replyTo,
      ...fields,
    })
    return Status.parse(body).id
  }
  // A boost is no reply.
  if (kind === 'boost' && replyTo === undefined)
    return Status.parse((await call.post(`/api/v1/statuses/${first}/reblog`)).body).id
  if (kind === 'poll')
    return post({ poll: { options: ['a wren', 'an owl', 'a rook', 'none of them'], expires_in: 86_400 } })
  if (kind === 'warning') return post({ spoiler_text: 'Birds that eat other birds' })
  if (kind === 'quote') return post({ quoted_status_id: first })
  if (kind === 'reply') return post({ in_reply_to_id: replyTo ?? first })
  const id = await post({})
  const pictures = kind === 'picture' ? 1 : kind === 'pictures' ? 4 : 0
  const attachments = Array.from({ length: pictures }, (_, at) => ({
    ...picture,
    id: Number(id) + at,
    file: { key: `media/${id}/${at}.png` },
  }))
  await context()
    .db.update(statuses)
    .set({ attachments, ...(kind === 'card' ? { card: storedCard } : {}) })
    .where(eq(statuses.id, Number(id)))
  return id
}

const Marked = z.object({ id: z.string() })

export async function crowdedClient(): Promise<Crowd> {
  const { member, browser } = await signedIn()
  const author = await given.account({ displayName: 'The Author of Birds', indexable: true })
  const named = { tag: freshName('bird'), word: freshName('fieldfare') }
  const people: TestAccount[] = []
  for (let number = 0; number < full; number += 1) {
    const avatar = { key: `avatars/${number}.png` }
    const displayName = `Birder number ${number}`
    people.push(await given.account({ avatar, displayName, note: 'Looks at birds.', indexable: true }))
  }
  for (const person of people) {
    await relation.follow(member, person)
    await relation.follow(author, person)
    await relation.follow(person, author)
  }
  const list = List.parse((await as(member).post('/api/v1/lists', { title: 'Birders' })).body).id
  await as(member).post(`/api/v1/lists/${list}/accounts`, { account_ids: people.map(({ id }) => id) })
  const post = async (by: TestAccount, text: string) =>
    Marked.parse((await as(by).post('/api/v1/statuses', { status: text })).body).id
  const thread = await post(author, textOf(1, named))
  const quoted = await post(member, textOf(3, named))
  await write([author], { first: quoted, named })
  await write(people, { first: thread, named, replyTo: thread })
  const own = await post(member, textOf(2, named))
  await as(author).post(`/api/v1/statuses/${thread}/pin`)
  await as(author).post('/api/v1/featured_tags', { name: named.tag })
  for (const [number, person] of people.entries()) {
    const call = as(person)
    await call.post(`/api/v1/statuses/${thread}/favourite`)
    await call.post(`/api/v1/statuses/${thread}/reblog`)
    await call.post(`/api/v1/statuses/${own}/${number % 2 === 0 ? 'favourite' : 'reblog'}`)
    await call.post('/api/v1/statuses', { status: `@${member.username} ${textOf(number, named)}` })
    if (number % 3 === 0) await call.post(`/api/v1/accounts/${member.id}/follow`)
    await as(author).post(`/api/v1/accounts/${person.id}/endorse`)
  }
  const posts = await write(people, { first: quoted, named })
  for (const id of posts)
    for (const mark of ['favourite', 'bookmark']) await as(member).post(`/api/v1/statuses/${id}/${mark}`)
  const viewer = await viewerOf(member)
  const contexts = ['new', ...posts.map((id) => `reply:${Number(id)}` as const)] as const
  for (const about of contexts)
    await saveDraft(context(), viewer, { context: about, fields: { status: textOf(4, named) } })
  for (let number = 1; number <= savedReplyLimits.perAccount; number += 1)
    await addSavedReply(context(), viewer, {
      name: `Reply ${number}`,
      text: textOf(number, named).slice(0, 500),
    })
  await updateSearchIndex()
  const counts = { drafts: contexts.length, savedReplies: savedReplyLimits.perAccount }
  return { member, browser, author, people, posts, thread, own, list, ...counts, ...named }
}
