import { eq, type SQL, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { previewCards, previewPages, statuses } from '../../db/schema'
import type { Card, Mention } from '../../db/values'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { firstLink } from './request-preview'
/** A status whose link may need a preview. */
export interface LinkingStatus {
  readonly id: StatusId
  readonly editedAt: Date | null
  readonly hasCard: boolean
  readonly local: boolean
  /** The link to preview; null without one. */
  readonly link: string | null
}

/** A status with its link, for jobs: any author and any visibility. One statement. */
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

/** The cached preview of a page. */
export interface CachedPage {
  readonly card: Card | null
  readonly askAgainAt: Date
}

/** The cached page of a link; null if it is not cached, or its card was pruned. One statement. */
export function findCachedPage(ctx: Ctx, key: string): Query<CachedPage | null> {
  const { cardId, askAgainAt } = previewPages
  const found = ctx.db
    .select({ cardId, card: previewCards.card, askAgainAt })
    .from(previewPages)
    .leftJoin(previewCards, eq(previewCards.id, cardId))
    .where(eq(previewPages.url, key))
  return map(first(found), (row) => (row === null || (row.cardId !== null && row.card === null) ? null : row))
}

/** Condition on a statuses row: this status in this version. */
export function isVersion({ id, editedAt }: LinkingStatus): SQL {
  return sql`${statuses.id} = ${id} and ${statuses.editedAt} is ${editedAt?.getTime() ?? null}`
}

/** The listing of a public status under the card with this URL, as a selection (status_id, card_id, account_id). */
export function listing(status: LinkingStatus, cardUrl: string): SQL {
  return sql`select ${statuses.id}, c.id, ${statuses.accountId} from ${statuses} cross join preview_cards c
    where ${isVersion(status)} and ${statuses.visibility} = 'public' and c.url = ${cardUrl}`
}
