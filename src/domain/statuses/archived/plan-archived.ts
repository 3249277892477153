import { tagUrl } from '../../../contract/addresses'
import type { Visibility } from '../../../db/schema/statuses'
import type { Attachment, EmojiSnapshot, Mention, StatusTag } from '../../../db/values'
import { escapeHtml, htmlToText } from '../../../lib/html'
import { type AccountId, idEpoch, type MediaId, type StatusId } from '../../../lib/ids'
import type { ArchivedItem, ArchivedPoll, ArchivedStatus } from '../../../ports/archives'
import type { Viewer } from '../../core/viewer'
import { attachmentOf } from '../../media/find'
import { preferencesOf } from '../../users/defaults'
import { mentionOf } from '../plan'
import type { PartFacts } from './find-imported'
import { excessOf, isProfileOnly } from './totals'

/** The row of an imported status, as the statement that stores a part reads it. */
export interface ImportedRow {
  readonly id: StatusId
  readonly uri: string
  readonly visibility: Visibility
  /** Shown on the profile and at its own address alone; no such row is public. */
  readonly profileOnly: boolean
  readonly text: string
  readonly content: string
  readonly spoilerText: string
  readonly sensitive: boolean
  readonly language: string | null
  readonly inReplyToId: StatusId | null
  readonly inReplyToAccountId: AccountId | null
  readonly inReplyToUri: string | null
  readonly reblogOfId: StatusId | null
  readonly conversationId: StatusId
  readonly attachments: readonly Attachment[]
  readonly mentions: readonly Mention[]
  readonly tags: readonly StatusTag[]
  readonly emojis: readonly EmojiSnapshot[]
  readonly quotePolicy: string
  readonly localOnly: boolean
  readonly createdAt: number
  readonly editedAt: number | null
  readonly poll: ImportedPoll | null
}

export interface ImportedPoll {
  readonly id: number
  readonly options: readonly string[]
  readonly multiple: boolean
  readonly expiresAt: number
}

/** Result of an entry of an archive. */
export type ItemResult =
  | {
      readonly kind: 'imported'
      readonly uri: string
      readonly id: StatusId
      /** Addresses of files that the request did not bring. */
      readonly missing: readonly string[]
    }
  | { readonly kind: 'known'; readonly uri: string; readonly id: StatusId }
  | { readonly kind: 'refused'; readonly uri: string | null; readonly reason: string }

export interface PartTerms {
  readonly author: Viewer
  readonly origin: string
  /** Limit of this server for written posts. */
  readonly statusCharacters: number
  readonly now: Date
  /** Uploads by the address that the archive has for the file. */
  readonly uploads: ReadonlyMap<string, MediaId>
  /** Makes an id for a time, none twice. */
  nextId(at: Date): number
}

export interface PartPlan {
  readonly rows: readonly ImportedRow[]
  /** In the order of the items. */
  readonly results: readonly ItemResult[]
}

type Parent = { readonly id: StatusId; readonly accountId: AccountId; readonly conversationId: StatusId }

/**
 * Plans a part of an archive. Pure, but for the ids it takes.
 *
 * An imported status has the date of the original in its id. Its audience does not grow: mentions add
 * no account where followers only or less may see it.
 */
export function planPart(items: readonly ArchivedItem[], facts: PartFacts, terms: PartTerms): PartPlan {
  const planned = new Map<string, ImportedRow>()
  const reblogged = new Set<StatusId>()
  const used = new Set<MediaId>()
  const results = items.map((item): ItemResult => {
    if (item.kind === 'unreadable') return refused(item.uri, `It cannot be read: ${item.reason}`)
    const { uri, publishedAt } = item.kind === 'status' ? item.status : item
    const earlier = facts.imported.get(uri)?.id ?? planned.get(uri)?.id
    if (earlier !== undefined) return { kind: 'known', uri, id: earlier }
    if (publishedAt.getTime() < idEpoch) return refused(uri, 'It is older than 2007')
    if (item.kind === 'reblog') return planReblog(item, { facts, terms, planned, reblogged })
    return planPost(item.status, { facts, terms, planned, used })
  })
  return { rows: [...planned.values()], results }
}

function refused(uri: string | null, reason: string): ItemResult {
  return { kind: 'refused', uri, reason }
}

interface Planning {
  readonly facts: PartFacts
  readonly terms: PartTerms
  readonly planned: Map<string, ImportedRow>
}

function planPost(
  status: ArchivedStatus,
  { facts, terms, planned, used }: Planning & { readonly used: Set<MediaId> },
): ItemResult {
  const { author, origin, statusCharacters, now } = terms
  const { attachments, missing } = attachmentsOf(status, { facts, terms, used })
  const isEmpty = status.content === '' && status.spoilerText === '' && status.poll === null
  if (isEmpty && attachments.length === 0)
    return refused(status.uri, missing.length > 0 ? 'Its files are not in the archive' : 'It is empty')
  const content = withOwnTagLinks(status, origin)
  const text = htmlToText(content)
  const excess = excessOf(status, { text, content, statusCharacters })
  if (excess !== null) return refused(status.uri, excess)
  const id = terms.nextId(status.publishedAt)
  const profileOnly = isProfileOnly(author.id, status.publishedAt, now)
  const parent = parentOf(status.inReplyTo, { facts, planned, author: author.id })
  const named = status.mentioned.flatMap((address) => facts.mentioned.get(address) ?? [])
  const people = [...new Map(named.map((account) => [account.id, account])).values()]
  planned.set(status.uri, {
    id,
    uri: status.uri,
    visibility: visibilityFor(author, status.visibility, profileOnly),
    profileOnly,
    text,
    content,
    spoilerText: status.spoilerText,
    sensitive: status.sensitive,
    language: status.language,
    inReplyToId: parent?.id ?? null,
    inReplyToAccountId: parent?.accountId ?? null,
    inReplyToUri: parent === null ? status.inReplyTo : null,
    reblogOfId: null,
    conversationId: parent?.conversationId ?? id,
    attachments,
    mentions: people.map((account) => mentionOf(account, origin)),
    tags: status.tags,
    emojis: status.emojis,
    quotePolicy: preferencesOf(author).quotePolicy,
    localOnly: status.localOnly,
    createdAt: status.publishedAt.getTime(),
    editedAt: status.editedAt?.getTime() ?? null,
    poll: status.poll === null ? null : planPoll(status.poll, { id: terms.nextId(now), now }),
  })
  return { kind: 'imported', uri: status.uri, id, missing }
}

function planReblog(
  item: Extract<ArchivedItem, { readonly kind: 'reblog' }>,
  { facts, terms, planned, reblogged }: Planning & { readonly reblogged: Set<StatusId> },
): ItemResult {
  const { author } = terms
  const { uri, originalUri, publishedAt } = item
  const original = originalOf(originalUri, { facts, planned, author: author.id })
  if (original === null) return refused(uri, 'The shared post is not known here')
  if (original === 'closed') return refused(uri, 'The shared post may not be shared')
  if (original === 'reblogged' || reblogged.has(original.id))
    return refused(uri, 'The post is shared already')
  reblogged.add(original.id)
  const id = terms.nextId(publishedAt)
  const profileOnly = isProfileOnly(author.id, publishedAt, terms.now)
  planned.set(uri, {
    id,
    uri,
    visibility: visibilityFor(author, original.isPrivate ? 'private' : item.visibility, profileOnly),
    profileOnly,
    text: '',
    content: '',
    spoilerText: '',
    sensitive: false,
    language: null,
    inReplyToId: null,
    inReplyToAccountId: null,
    inReplyToUri: null,
    reblogOfId: original.id,
    conversationId: id,
    attachments: [],
    mentions: [],
    tags: [],
    emojis: [],
    quotePolicy: 'public',
    localOnly: original.localOnly,
    createdAt: publishedAt.getTime(),
    editedAt: null,
    poll: null,
  })
  return { kind: 'imported', uri, id, missing: [] }
}

interface Original {
  readonly id: StatusId
  readonly isPrivate: boolean
  readonly localOnly: boolean
}

/** Original of a reblog: an own imported status, or one that its author allows every account to reblog. */
function originalOf(
  uri: string,
  { facts, planned, author }: Omit<Planning, 'terms'> & { readonly author: AccountId },
): Original | 'closed' | 'reblogged' | null {
  const own = planned.get(uri)
  if (own !== undefined)
    return own.visibility === 'direct' || own.reblogOfId !== null
      ? 'closed'
      : { id: own.id, isPrivate: own.visibility === 'private', localOnly: own.localOnly }
  const known = facts.known.get(uri)
  if (known === undefined) return null
  if (known.reblogged === 1) return 'reblogged'
  const isOpen = known.visibility === 'public' || known.visibility === 'unlisted'
  const isOwnPrivate = known.accountId === author && known.visibility === 'private'
  const isAllowed = known.accountId === author || known.reblogPolicy === 'public'
  if (!(isOpen || isOwnPrivate) || !isAllowed || known.pending === 1) return 'closed'
  return { id: known.id, isPrivate: isOwnPrivate, localOnly: known.localOnly === 1 }
}

/**
 * The parent to attach a reply to: an own post in a thread that the author began. Nothing proves that others were answered,
 * nor when, so their threads show and count no imported reply; the address of the parent is kept.
 */
function parentOf(
  uri: string | null,
  { facts, planned, author }: Omit<Planning, 'terms'> & { readonly author: AccountId },
): Parent | null {
  if (uri === null) return null
  const imported = planned.get(uri)
  if (imported !== undefined)
    return { id: imported.id, accountId: author, conversationId: imported.conversationId }
  const known = facts.known.get(uri)
  return known?.accountId === author && known.startedByAuthor === 1 ? known : null
}

function visibilityFor(author: Viewer, visibility: Visibility, profileOnly: boolean): Visibility {
  return visibility === 'public' && (author.silenced || profileOnly) ? 'unlisted' : visibility
}

function attachmentsOf(
  { files }: ArchivedStatus,
  { facts, terms, used }: Omit<Planning, 'planned'> & { readonly used: Set<MediaId> },
): { readonly attachments: readonly Attachment[]; readonly missing: readonly string[] } {
  const missing: string[] = []
  const attachments = files.flatMap(({ url, description, focus }): readonly Attachment[] => {
    const id = terms.uploads.get(url)
    const row = id === undefined ? undefined : facts.media.get(id)
    if (id === undefined || row === undefined || used.has(id)) {
      missing.push(url)
      return []
    }
    used.add(id)
    const attachment = attachmentOf(row)
    return [{ ...attachment, description, meta: { ...attachment.meta, ...(focus && { focus }) } }]
  })
  return { attachments, missing }
}

/** The poll, closed, without votes: nothing proves how many there were. */
function planPoll(
  { options, multiple, expiresAt }: ArchivedPoll,
  { id, now }: { readonly id: number; readonly now: Date },
): ImportedPoll {
  const end = expiresAt ?? now
  return { id, options, multiple, expiresAt: Math.min(end.getTime(), now.getTime()) }
}

/** Links of hashtags lead to the pages of this server: those of the old one may be gone. */
function withOwnTagLinks({ content, tagLinks }: ArchivedStatus, origin: string): string {
  return tagLinks.reduce(
    (html, { href, name }) =>
      html.replaceAll(`href="${escapeHtml(href)}"`, `href="${escapeHtml(tagUrl(origin, name))}"`),
    content,
  )
}
