import { eq, type SQL, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { previewCards, previewPages, statuses } from '../../db/schema'
import type { Card, Mention } from '../../db/values'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { firstLink } from './find-link'

/** A status whose link wants a preview. */
export interface LinkingStatus {
  readonly id: StatusId
  readonly editedAt: Date | null
  readonly hasCard: boolean
  readonly local: boolean
  /** Where it leads; null when there is nothing to preview. */
  readonly link: string | null
}

/** What a status links to, which may be anybody's and of any visibility: for jobs. One statement. */
export function linkingStatus(ctx: Ctx, id: StatusId): Query<LinkingStatus | null> {
  const quoted = sql<string | null>`(select json_array(q.quoted_uri, quoted.uri, quoted.url)
    from quotes q left join statuses quoted on quoted.id = q.quoted_status_id where q.status_id = ${id})`
  const found = ctx.db
    .select({
      editedAt: statuses.editedAt,
      content: statuses.content,
      mentions: statuses.mentions,
      local: statuses.local,
      hasCard: sql<number>`${statuses.card} is not null`.as('has_card'),
      quoted: quoted.as('quoted'),
    })
    .from(statuses)
    .where(eq(statuses.id, id))
  return map(first(found), (row) => {
    if (row === null) return null
    const others = [...addressesIn(row.quoted), ...row.mentions.flatMap(mentionUrls)]
    const { editedAt, content, hasCard, local } = row
    return { id, editedAt, local, hasCard: hasCard === 1, link: firstLink(ctx.config, content, others) }
  })
}

function addressesIn(cell: string | null): readonly string[] {
  const list: unknown = cell === null ? [] : JSON.parse(cell)
  return Array.isArray(list) ? list.filter((address) => typeof address === 'string') : []
}

function mentionUrls({ url, uri }: Mention): readonly string[] {
  return uri === undefined ? [url] : [url, uri]
}

/** What is known of a page by the address of a link. */
export interface CachedPage {
  readonly card: Card | null
  readonly askAgainAt: Date
}

/** The page at the address of a link; null where nothing is known of it, or its card was forgotten. One statement. */
export function findCachedPage(ctx: Ctx, key: string): Query<CachedPage | null> {
  const { cardId, askAgainAt } = previewPages
  const found = ctx.db
    .select({ cardId, card: previewCards.card, askAgainAt })
    .from(previewPages)
    .leftJoin(previewCards, eq(previewCards.id, cardId))
    .where(eq(previewPages.url, key))
  return map(first(found), (row) => (row === null || (row.cardId !== null && row.card === null) ? null : row))
}

/** Is a statuses row the status in this version? */
export function isVersion({ id, editedAt }: LinkingStatus): SQL {
  return sql`${statuses.id} = ${id} and ${statuses.editedAt} is ${editedAt?.getTime() ?? null}`
}

/** What lists a public status by the card with this address, as a selection (status_id, card_id, account_id). */
export function listing(status: LinkingStatus, cardUrl: string): SQL {
  return sql`select ${statuses.id}, c.id, ${statuses.accountId} from ${statuses} cross join preview_cards c
    where ${isVersion(status)} and ${statuses.visibility} = 'public' and c.url = ${cardUrl}`
}
