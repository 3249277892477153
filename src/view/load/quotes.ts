import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { type JsonPart, listIn } from '../../db/json-row'
import { type QuoteState, quoteStates } from '../../db/schema/federation'
import { blockText } from '../../domain/policy/block-predicates'
import type { StatusId } from '../../lib/ids'

/** The quote of a status, and what hides it from a viewer. */
export interface QuoteFacts {
  readonly state: QuoteState
  /** Null for quoted statuses that are not known here or deleted. */
  readonly quotedId: StatusId | null
  /** Made in a form without consent (before FEP-044f). */
  readonly legacy: boolean
  /** Whether the viewer may see the quoted status, as far as can be decided without loading it. */
  readonly seen: boolean
  readonly blocked: boolean
  readonly muted: boolean
  readonly domainBlocked: boolean
}

/**
 * The quote of `statuses`, for the viewer `page.viewer_id` at `now` in milliseconds, as part of a JSON column: no lookup
 * for statuses without a quote. Private statuses can only be quoted by their authors, for the same audience.
 */
export function quotePart(now: SQL): JsonPart<QuoteFacts | null> {
  return { cell: sql`${sql.raw(head)}${now}${sql.raw(tail)}`, read: readQuote }
}

const nowPlace = ':now'
const [head = '', tail = ''] = `(select json_array(q.state, q.quoted_status_id, q.legacy,
  quoted.visibility in ('public', 'unlisted') or quoted.account_id = q.account_id,
  author.suspended_at is not null or ${blockText.blocks('quoted.account_id', 'page.viewer_id')},
  ${blockText.blocks('page.viewer_id', 'quoted.account_id')},
  ${blockText.mutes('page.viewer_id', 'quoted.account_id', nowPlace)},
  ${blockText.blocksDomain('page.viewer_id', 'author.domain')})
  from quotes q left join statuses quoted on quoted.id = q.quoted_status_id
    left join accounts author on author.id = quoted.account_id
  where q.status_id = statuses.id)`.split(nowPlace)

const Bit = z.number().nullable()
const Cell = z.tuple([z.enum(quoteStates), z.number().nullable(), Bit, Bit, Bit, Bit, Bit, Bit])

function readQuote(parsed: unknown): QuoteFacts | null {
  if (parsed === null) return null
  const [state, quotedId, legacy, open, withheld, blocked, muted, domainBlocked] = Cell.parse(listIn(parsed))
  return {
    state,
    quotedId,
    legacy: legacy === 1,
    seen: open === 1 && withheld === 0,
    blocked: blocked === 1,
    muted: muted === 1,
    domainBlocked: domainBlocked === 1,
  }
}
