import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { preparedWrite } from '../../db/prepared'
import { jsonTable } from '../../db/query'
import type { Attachment, StatusTag } from '../../db/values'
import { htmlToText } from '../../lib/html'
import { findLinks } from '../../lib/html-walk'
import type { AccountId, StatusId } from '../../lib/ids'
import { knownLanguage } from '../../lib/language'
import { pageKeyOf } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import { foldText, tokensOf } from './words'

/** The searchable parts of a status. */
export interface IndexableStatus {
  readonly id: StatusId
  readonly accountId: AccountId
  readonly content: string
  readonly spoilerText: string
  readonly attachments: readonly Pick<Attachment, 'type' | 'description'>[]
  readonly tags: readonly Pick<StatusTag, 'name'>[]
  readonly language: string | null
  readonly sensitive: boolean
  readonly isReply: boolean
  readonly isQuote: boolean
  /** Null without a poll. */
  readonly pollOptions: readonly string[] | null
}

/** A row of the index, except for the traits of its readers. */
interface SearchDocument {
  readonly id: StatusId
  readonly text: string
  readonly traits: string
}

/** Bounds a status's share of the index and the size of a statement. */
const maxCharacters = 8_000
const maxLinks = 50

/** The text of a status as indexed: content, warning, poll options, media descriptions. Pure. */
export function documentOf(status: IndexableStatus): SearchDocument {
  const { id, content, spoilerText, attachments, pollOptions } = status
  const texts = [
    spoilerText,
    htmlToText(content),
    ...(pollOptions ?? []),
    ...attachments.map(({ description }) => description ?? ''),
  ]
  const tokens = texts.flatMap((text) => tokensOf(text.slice(0, maxCharacters)))
  return { id, text: withinLength(tokens).join(' '), traits: traitsOf(status).join(' ') }
}

function withinLength(tokens: readonly string[]): readonly string[] {
  let length = 0
  const end = tokens.findIndex((token) => {
    length += token.length + 1
    return length > maxCharacters
  })
  return end === -1 ? tokens : tokens.slice(0, end)
}

function traitsOf(status: IndexableStatus): readonly string[] {
  const links = findLinks(status.content)
  const linked = links.slice(0, maxLinks).flatMap((link) => linkTrait(link) ?? [])
  return [
    authorTrait(status.accountId),
    ...(status.language === null ? [] : [languageTrait(status.language)]),
    ...propertiesOf(status, links.length > 0).map(propertyTrait),
    ...status.tags.map(({ name }) => tagTrait(name)),
    ...new Set(linked),
  ]
}

function propertiesOf(status: IndexableStatus, hasLink: boolean): readonly string[] {
  const kinds = new Set(status.attachments.map(({ type }) => type))
  return [
    ...(kinds.size > 0 ? ['media'] : []),
    ...(kinds.has('image') ? ['image'] : []),
    ...(kinds.has('video') || kinds.has('gifv') ? ['video'] : []),
    ...(kinds.has('audio') ? ['audio'] : []),
    ...(status.pollOptions === null ? [] : ['poll']),
    ...(hasLink ? ['link'] : []),
    ...(status.isReply ? ['reply'] : []),
    ...(status.isQuote ? ['quote'] : []),
    ...(status.sensitive ? ['sensitive'] : []),
  ]
}

// Tokens of the column `traits`. The first letter keeps kinds apart; a digit at the end keeps the stemmer off.

/** Public, by an author who allows search: written by SQL alone, which knows both. */
export const publicTrait = 'pub'

/** Precedes the id of a local user whose search may find it: written by SQL alone. */
export const readerPrefix = 'w'

/** Stands for the id of the viewer in a pattern. No token has braces. */
export const viewerMark = '{me}'
type AccountMark = AccountId | typeof viewerMark

export const readerTrait = (account: AccountMark) => `${readerPrefix}${account}`
export const authorTrait = (account: AccountMark) => `f${account}`

export function tagTrait(name: string): string {
  return `t${plain(name)}0`
}

/** Normalises the code to a supported language, so that `pt-BR` is found as `pt`. */
export function languageTrait(code: string): string {
  return `l${plain(knownLanguage(code) ?? code)}0`
}

/** Digits of the hash: that two of a million addresses share one is as likely as one in thirty million. */
const linkDigits = 16

/** A status that links to a page, by any spelling of its address; null for anything but a web address. */
export function linkTrait(address: string): string | null {
  const key = pageKeyOf(address)
  if (key === null) return null
  return `u${createHash('sha256').update(key).digest('hex').slice(0, linkDigits)}0`
}

/** A property matched by `has:` or `is:`. */
export function propertyTrait(name: string): string {
  return `x${plain(name)}0`
}

function plain(name: string): string {
  const letters = foldText(name).matchAll(/[\p{L}\p{M}\p{N}]/gu)
  return [...letters].slice(0, 100).join('')
}

/**
 * Statement that indexes a status, for the batch that stores it with its mentions. It writes one row if any user may
 * find the status by search, none otherwise.
 */
export function indexStatus(ctx: Ctx, status: IndexableStatus) {
  return insertDocuments(ctx, [documentOf(status)])
}

/**
 * Statement that indexes documents not yet in the index: public ones that are searchable by all, and those in the
 * library of local users. A library is their own statuses, statuses that mention them, and those they favourited,
 * bookmarked, reblogged or voted in.
 */
export function insertDocuments(ctx: Ctx, documents: readonly SearchDocument[]) {
  return insert(ctx.db, { documents: JSON.stringify(documents) })
}

const insert = preparedWrite(
  ['documents'],
  (_db, { documents }) => sql`insert into status_search (rowid, text, traits)
    select id, text, traits || coalesce(' ' || readers, '') || case when open then ${sql.raw(`' ${publicTrait}'`)} else '' end
    from (select s.id as id, item.value ->> 'text' as text, item.value ->> 'traits' as traits,
      s.visibility = 'public' and exists (
        select 1 from accounts a where a.id = s.account_id and a.indexable = 1) as open,
      (select group_concat(distinct ${sql.raw(`'${readerPrefix}'`)} || u.account_id)
        from (${sql.raw(concerned)}) picked cross join users u on u.account_id = picked.account_id) as readers
      from ${jsonTable(documents)} cross join statuses s where s.id = item.value ->> 'id' and s.reblog_of_id is null)
    where open or readers is not null`,
)

// D1 allows five terms in a compound select.
const concerned = `select s.account_id
  union all select account_id from status_mentions where status_id = s.id
  union all select account_id from (select account_id from favourites where status_id = s.id
    union all select account_id from bookmarks where status_id = s.id)
  union all select account_id from statuses where reblog_of_id = s.id
  union all select account_id from poll_votes where poll_id = s.poll_id`
