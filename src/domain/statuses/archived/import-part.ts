import { execute } from '../../../db/query'
import { Conflict } from '../../../errors'
import type { MediaId } from '../../../lib/ids'
import type { ArchivedItem } from '../../../ports/archives'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit } from '../../core/changes'
import type { Viewer } from '../../core/viewer'
import { type ArchiveImport, areFreeIds, areNewAddresses, partFacts } from './find-imported'
import { type ItemResult, type PartPlan, planPart } from './plan-archived'
import { recordPart, storePart } from './store-part'

export interface ArchivePart {
  /** The import, which is one of the author. */
  readonly source: ArchiveImport
  /** Unvalidated entries of an outbox as the archive has them. */
  readonly items: readonly unknown[]
  /** Uploads for the files of the entries, by the address that the archive has for them. */
  readonly uploads: ReadonlyMap<string, MediaId>
}

/** Another request imported one of the statuses, or an id of the part was taken. */
class PartChanged extends Conflict {
  override readonly name = 'PartChanged'
}

/** Runs that lose against another, or find their ids taken. */
const attempts = 4

/**
 * Imports a part of an archive: one round trip to load, one to commit.
 *
 * Quiet: no activity, no notification, no live event, no home feed, no preview of links. A status that was imported
 * before is answered as `known`; the part is stored whole or not at all. `RateLimited` and `Invalid` above the totals of
 * the account.
 */
export async function importPart(
  ctx: Ctx,
  author: Viewer,
  { source, items, uploads }: ArchivePart,
): Promise<readonly ItemResult[]> {
  const now = ctx.clock.now()
  const read = items.map((item) => ctx.readArchivedItem(item, source, now))
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await importOnce(ctx, author, { source, read, uploads })
    } catch (failure) {
      if (!(failure instanceof PartChanged) || attempt === attempts) throw failure
    }
  }
}

interface ReadPart {
  readonly source: ArchiveImport
  readonly read: readonly ArchivedItem[]
  readonly uploads: ReadonlyMap<string, MediaId>
}

async function importOnce(ctx: Ctx, author: Viewer, { source, read, uploads }: ReadPart) {
  const facts = await execute(
    ctx.db,
    partFacts(ctx, author.id, { items: read, mediaIds: [...uploads.values()] }),
  )
  const plan = planPart(read, facts, {
    author,
    origin: ctx.config.origin,
    statusCharacters: ctx.config.limits.statusCharacters,
    now: ctx.clock.now(),
    uploads,
    nextId: distinctIds(ctx),
  })
  const changes = new Changes()
  guardPart(changes, author, plan)
  storePart(ctx, changes, { author: author.id, importId: source.id, rows: plan.rows })
  recordPart(ctx, changes, { source, ...plan })
  await commit(ctx, changes)
  return plan.results
}

/** Ids of one part: old dates share no sequence, so two of one millisecond may start at the same random one. */
function distinctIds(ctx: Ctx): (at: Date) => number {
  const taken = new Set<number>()
  return (at) => {
    let id = ctx.ids.next(at)
    while (taken.has(id)) id = ctx.ids.next(at)
    taken.add(id)
    return id
  }
}

function guardPart(changes: Changes, author: Viewer, { rows }: PartPlan): void {
  const changed = new PartChanged('archive_being_imported')
  const [ids, uris] = [rows.map(({ id }) => id), rows.map(({ uri }) => uri)]
  changes.require(areFreeIds(ids), changed).require(areNewAddresses(author.id, uris), changed)
}
