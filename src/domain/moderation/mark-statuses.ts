import { eq, type SQL, sql } from 'drizzle-orm'
import { all, both, combineQueries, execute } from '../../db/query'
import { statuses } from '../../db/schema'
import { Conflict } from '../../errors'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import { addFitting } from '../core/fitting'
import type { StatusRow } from '../policy/visibility'
import { pollOfStatus } from '../polls/find'
import { applyEdit, type StatusVersion } from '../statuses/apply-edit'
import { editAudience } from '../statuses/find-affected-servers'
import { isMarked, statusesActedOn } from './find-statuses'

/** Statuses of which a part reads what their edit needs. */
const statusesRead = 3

/** Statuses to mark as sensitive, or to unmark. */
export interface Marking {
  readonly ids: readonly StatusId[]
  readonly sensitive: boolean
  /** Statuses done in any case: see `addFitting`. */
  readonly least: 0 | 1
}

/**
 * Adds that the first statuses among `ids` are sensitive, or are not, as many as this invocation has statements for: those
 * with media or a preview of a page, as in Mastodon. A local status is edited, and other servers get an Update; of a
 * remote one only the copy here changes. Returns their number, those included that stay as they are. One round trip to
 * read.
 *
 * A content warning keeps a status sensitive. Fails as a `Conflict` where a status changes meanwhile.
 */
export async function addMarks(
  ctx: Ctx,
  changes: Changes,
  { ids, sensitive, least }: Marking,
): Promise<number> {
  const read = ids.slice(0, statusesRead)
  const [found, facts] = await execute(
    ctx.db,
    both(statusesActedOn(ctx, read), all(read.map((id) => findEditFacts(ctx, sql<StatusId>`${id}`)))),
  )
  const marks = read.map((id, index) => (part: Changes) => {
    const status = found.find((one) => one.id === id)
    if (status === undefined || !isChanged(status, sensitive)) return
    const known = facts[index]
    if (status.local && known !== undefined) editStatus(ctx, part, { status, sensitive, ...known })
    else changeCopy(ctx, part, { status, sensitive })
  })
  return addFitting(ctx, changes, marks, least)
}

function isChanged(status: StatusRow, sensitive: boolean): boolean {
  return hasMedia(status) && status.sensitive !== sensitive && (sensitive || status.spoilerText === '')
}

function findEditFacts(ctx: Ctx, id: SQL<StatusId>) {
  return combineQueries({
    poll: pollOfStatus(ctx, id),
    audience: editAudience(ctx, id),
  })
}

type EditFacts = ReturnType<ReturnType<typeof findEditFacts>['decode']>

interface Mark {
  readonly status: StatusRow
  readonly sensitive: boolean
}

function editStatus(ctx: Ctx, changes: Changes, { status, sensitive, ...facts }: Mark & EditFacts): void {
  const { id: statusId, accountId, localOnly } = status
  const next: StatusVersion = {
    text: status.text,
    contentType: status.contentType,
    content: status.content,
    spoilerText: status.spoilerText,
    sensitive,
    language: status.language,
    attachments: status.attachments,
    mentions: status.mentions,
    tags: status.tags,
    emojis: status.emojis,
    addressed: [],
    poll: facts.poll,
    linkedCollections: status.linkedCollections,
  }
  applyEdit(ctx, changes, { status, ...facts, next, at: ctx.clock.now() })
  if (!localOnly) changes.emit({ kind: 'status.updated', accountId, statusId })
}

function changeCopy(ctx: Ctx, changes: Changes, { status: { id }, sensitive }: Mark): void {
  changes
    .require(isMarked(id, !sensitive), new Conflict('post_changed'))
    .add(ctx.db.update(statuses).set({ sensitive }).where(eq(statuses.id, id)))
    .publish({ kind: 'status.edited', statusId: id })
}

function hasMedia({ attachments, card }: Pick<StatusRow, 'attachments' | 'card'>): boolean {
  return attachments.length > 0 || card !== null
}
