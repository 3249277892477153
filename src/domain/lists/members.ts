import { and, eq, sql } from 'drizzle-orm'
import { combineQueries, execute, inList, jsonRows, orNotFound } from '../../db/query'
import { listAccounts } from '../../db/schema'
import { Invalid, NotFound } from '../../errors'
import type { AccountId, ListId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { findListCandidates, type ListCandidate, type ListRow, mayJoinList, ownList } from './find'

interface MembersChange {
  readonly id: ListId
  readonly accounts: readonly AccountId[]
}

const notFollowed = () => new Invalid('not_followed', { field: 'account' })

/** Adds accounts to the viewer's list, completely or not at all. Errors: `checkMembers`. */
export async function addMembers(ctx: Ctx, viewer: Pick<Viewer, 'id'>, order: MembersChange): Promise<void> {
  const { list, candidates } = await execute(
    ctx.db,
    combineQueries({
      list: ownList(ctx, viewerById(viewer.id), order.id),
      candidates: findListCandidates(ctx, viewer.id, order),
    }),
  )
  checkMembers(list, order.accounts, candidates)
  if (candidates.length === 0) return
  const entries = order.accounts.map((account) => ({ id: ctx.ids.next(), account }))
  const ineligible = sql`select 1 from ${jsonRows(entries)} where not ${mayJoinList(viewer.id, sql`item.value ->> 'account'`)}`
  const changes = new Changes()
    // The owner may have unfollowed since: a list holds only followed accounts.
    .require(sql`not exists (${ineligible})`, notFollowed())
    .add(
      ctx.db.run(sql`insert into ${listAccounts} (id, list_id, owner_id, account_id)
        select item.value ->> 'id', ${order.id}, ${viewer.id}, item.value ->> 'account' from ${jsonRows(entries)}
        where true on conflict do nothing`),
    )
  const concernsHome = list?.exclusive === true
  for (const joinedIds of inParts(order.accounts))
    changes.emit({ kind: 'list.changed', accountId: viewer.id, listId: order.id, joinedIds, concernsHome })
  await commit(ctx, changes)
}

/**
 * Checks that the accounts may be added. Pure. `NotFound` for another account's list and for unknown accounts,
 * `Invalid` for accounts neither followed nor requested, and for members.
 */
function checkMembers(
  list: ListRow | null,
  asked: readonly AccountId[],
  candidates: readonly ListCandidate[],
): void {
  if (list === null || candidates.length < asked.length) throw new NotFound()
  if (candidates.some(({ isEligible }) => !isEligible)) throw notFollowed()
  if (candidates.some(({ isMember }) => isMember)) throw new Invalid('on_list_already', { field: 'account' })
}

/**
 * Removes accounts from the viewer's list; removing a non-member is no error. `NotFound` for another account's list.
 */
export async function removeMembers(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { id, accounts }: MembersChange,
): Promise<void> {
  const list = await execute(ctx.db, orNotFound(ownList(ctx, viewerById(viewer.id), id)))
  if (accounts.length === 0) return
  const isMember = and(eq(listAccounts.listId, id), inList(listAccounts.accountId, accounts))
  const changes = new Changes().add(ctx.db.delete(listAccounts).where(isMember)).emit({
    kind: 'list.changed',
    accountId: viewer.id,
    listId: id,
    joinedIds: [],
    concernsHome: list.exclusive,
  })
  await commit(ctx, changes)
}

/** Filling a feed reads the statuses of each new member: a part of the members per event. */
const membersPerEvent = 100

function inParts(accounts: readonly AccountId[]): AccountId[][] {
  return Array.from({ length: Math.ceil(accounts.length / membersPerEvent) }, (_, part) =>
    accounts.slice(part * membersPerEvent, (part + 1) * membersPerEvent),
  )
}
