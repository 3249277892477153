import { both, constant, execute, map, type Query } from '../db/query'
import { accountsByHandles } from '../domain/accounts/find'
import { done, ignored, type Outcome } from '../domain/core/changes'
import { viewerById } from '../domain/core/viewer'
import type { AccountName, Entry } from '../domain/imports-exports/entries'
import { type OpenImport, openEntries, openImport, undoableEntries } from '../domain/imports-exports/find'
import { type ExportEntry, findExportEntries } from '../domain/imports-exports/find-exports'
import {
  beginAdding,
  finishImport,
  recordRemovals,
  recordResults,
  recordUndone,
} from '../domain/imports-exports/imports'
import { bookmarkStatus, unbookmarkStatus } from '../domain/interactions/favourite'
import { addMembers, createList, listsOf, removeMembers } from '../domain/lists/edit'
import { blockAccount, muteAccount, unblockAccount, unmuteAccount } from '../domain/relationships/block'
import { blockDomain, unblockDomain } from '../domain/relationships/domain-block'
import { followAccount, unfollowAccount } from '../domain/relationships/follow'
import { visibleAt } from '../domain/statuses/archived/find-imported'
import { AppError, NotFound } from '../errors'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'

/** Entries processed concurrently: an unknown account takes four requests to its server. */
const atOnce = 8

/** Statements of an entry, with its effects and those that record the results of a run. */
const statementsOf: Readonly<Record<Entry['kind'], number>> = {
  following: 20,
  // Followed first, and the list may be new.
  lists: 30,
  blocks: 22,
  mutes: 16,
  domain_blocks: 16,
  // An unknown post, perhaps by an unknown author.
  bookmarks: 34,
}

/** Whether this invocation has statements for another entry. */
function hasRoom({ usage }: Ctx, kind: Entry['kind']): boolean {
  return usage.statementsLeft() >= statementsOf[kind]
}

/**
 * Processes a part of an import, and leaves the rest to another job. A failed entry keeps its reason and does not
 * stop the others. Idempotent per part.
 */
export async function runImport(ctx: Ctx, id: number): Promise<Outcome> {
  const order = await execute(ctx.db, openImport(ctx, id))
  if (order === null) return ignored('the import is finished, or its owner is gone')
  const isOver = await takeStep(ctx, order)
  if (!isOver) await ctx.jobs.send({ kind: 'run-import', importId: id })
  return done
}

/** Whether the import is over with this part of it. */
function takeStep(ctx: Ctx, order: OpenImport): Promise<boolean> {
  if (order.state === 'clearing') return clear(ctx, order)
  return order.state === 'undoing' ? undo(ctx, order) : add(ctx, order)
}

/** Removes some of the entries missing in the file. */
async function clear(ctx: Ctx, order: OpenImport): Promise<boolean> {
  const { id, accountId: owner, kind } = order
  const surplus = await execute(
    ctx.db,
    findExportEntries(ctx, { owner, kind, after: 0, limit: atOnce, missingIn: id }),
  )
  const removed: Entry[] = []
  for (const held of surplus)
    if (removed.length === 0 || hasRoom(ctx, kind)) {
      await remove(ctx, owner, held)
      removed.push(held.entry)
    }
  if (removed.length > 0) await recordRemovals(ctx, id, removed)
  if (removed.length === surplus.length && surplus.length < atOnce) await beginAdding(ctx, order)
  return false
}

/** Undoes a part of the import. Entries that were deleted or cannot be found are skipped. */
async function undo(ctx: Ctx, order: OpenImport): Promise<boolean> {
  const entries = await execute(ctx.db, undoableEntries(ctx, order.id, atOnce))
  const settled: string[] = []
  for (const { key, entry, outcome } of entries)
    if (settled.length === 0 || hasRoom(ctx, entry.kind)) {
      if (outcome === 'removed') await attempt(ctx, order, entry)
      else await takeBack(ctx, order.accountId, entry)
      settled.push(key)
    }
  if (settled.length > 0) await recordUndone(ctx, order.id, settled)
  if (entries.length === atOnce || settled.length < entries.length) return false
  await finishImport(ctx, order)
  return true
}

/** Removes an entry that the import added, as far as its target is known here. */
async function takeBack(ctx: Ctx, owner: AccountId, entry: Entry): Promise<void> {
  const held = await execute(ctx.db, heldTarget(ctx, owner, entry))
  if (held !== null) await remove(ctx, owner, { entry, ...held })
}

function heldTarget(
  ctx: Ctx,
  owner: AccountId,
  entry: Entry,
): Query<Pick<ExportEntry, 'targetId' | 'listId'> | null> {
  switch (entry.kind) {
    case 'domain_blocks':
      return constant({ targetId: 0, listId: 0 })
    case 'bookmarks':
      return map(visibleAt(ctx, owner, [entry.uri]), ([found]) =>
        found === undefined ? null : { targetId: found.id, listId: 0 },
      )
    case 'lists': {
      const found = both(idOf(ctx, entry.account), listsOf(ctx, viewerById(owner)))
      return map(found, ([targetId, lists]) => {
        const list = lists.find(({ title }) => title === entry.title)
        return targetId === null || list === undefined ? null : { targetId, listId: list.id }
      })
    }
    default:
      return map(idOf(ctx, entry.account), (targetId) => (targetId === null ? null : { targetId, listId: 0 }))
  }
}

async function remove(
  ctx: Ctx,
  owner: AccountId,
  { entry, targetId, listId }: Omit<ExportEntry, 'cursor'>,
): Promise<void> {
  const viewer = { id: owner }
  switch (entry.kind) {
    case 'following':
      return unfollowAccount(ctx, viewer, targetId)
    case 'lists':
      return removeMembers(ctx, viewer, { id: listId, accounts: [targetId] })
    case 'blocks':
      return unblockAccount(ctx, viewer, targetId)
    case 'mutes':
      return unmuteAccount(ctx, viewer, targetId)
    case 'domain_blocks':
      return unblockDomain(ctx, viewer, entry.domain)
    case 'bookmarks':
      return unbookmarkStatus(ctx, viewer, targetId)
  }
}

/** Adds some of the file's entries. */
async function add(ctx: Ctx, order: OpenImport): Promise<boolean> {
  const entries = await execute(ctx.db, openEntries(ctx, order.id, atOnce))
  const settled = []
  for (const { key, entry } of entries)
    if (settled.length === 0 || hasRoom(ctx, entry.kind))
      settled.push({ key, error: await attempt(ctx, order, entry) })
  if (settled.length > 0) await recordResults(ctx, order.id, settled)
  if (entries.length === atOnce || settled.length < entries.length) return false
  await finishImport(ctx, order)
  return true
}

/** Applies an entry; returns the reason of a failure, as shown to the owner. */
async function attempt(ctx: Ctx, order: OpenImport, entry: Entry): Promise<string | null> {
  try {
    await apply(ctx, { id: order.accountId, silenced: order.silenced }, entry)
    return null
  } catch (failure) {
    if (failure instanceof AppError) return failure.message
    ctx.log.error('An entry of an import failed', { kind: entry.kind, cause: failure })
    return 'Something went wrong here'
  }
}

interface Owner {
  readonly id: AccountId
  readonly silenced: boolean
}

async function apply(ctx: Ctx, owner: Owner, entry: Entry): Promise<void> {
  switch (entry.kind) {
    case 'following': {
      const { account, showReblogs, notify, languages } = entry
      return followAccount(ctx, owner, await find(ctx, account), { showReblogs, notify, languages })
    }
    case 'lists':
      return addToList(ctx, owner, entry)
    case 'blocks':
      return blockAccount(ctx, owner, await find(ctx, entry.account))
    case 'mutes': {
      const options = { hideNotifications: entry.hideNotifications, durationSeconds: 0 }
      return muteAccount(ctx, owner, await find(ctx, entry.account), options)
    }
    case 'domain_blocks':
      return blockDomain(ctx, owner, entry.domain)
    case 'bookmarks': {
      const id = await ctx.resolver.statusByUri(entry.uri)
      if (id === null) throw new NotFound('no_post')
      return bookmarkStatus(ctx, owner, id)
    }
  }
}

/** Adds an account to a list. Lists hold followed accounts, so it is followed first. */
async function addToList(ctx: Ctx, owner: Owner, { title, account }: Entry & { readonly kind: 'lists' }) {
  const id = await find(ctx, account)
  if (id !== owner.id) await followAccount(ctx, owner, id, {})
  const known = (await execute(ctx.db, listsOf(ctx, viewerById(owner.id)))).find(
    (list) => list.title === title,
  )
  const list = known ?? (await createList(ctx, owner, { title }))
  await addMembers(ctx, owner, { id: list.id, accounts: [id] })
}

async function find(ctx: Ctx, { username, domain }: AccountName): Promise<AccountId> {
  const known = await execute(ctx.db, idOf(ctx, { username, domain }))
  const id = known !== null || domain === null ? known : await ctx.discovery.find({ username, domain })
  if (id === null) throw new NotFound('no_account')
  return id
}

function idOf(ctx: Ctx, name: AccountName): Query<AccountId | null> {
  return map(accountsByHandles(ctx, [name]), ([found]) => found?.id ?? null)
}
