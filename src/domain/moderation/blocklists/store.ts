import { sql } from 'drizzle-orm'
import { blocklistEntries } from '../../../db/schema'
import { jsonRows } from '../../../db/sql'
import type { Ctx } from '../../../ports/ctx'
import type { Changes } from '../../core/changes'
import type { BlocklistEntry } from './find'
import type { ListedLimit } from './parse'

/** Entries in one statement: a parameter takes two megabytes. */
const entriesPerStatement = 2_000

/** A new entry of a list. */
export interface NewEntry {
  readonly line: ListedLimit
  readonly change: BlocklistEntry['change']
  readonly state: BlocklistEntry['state']
}

/** Adds statements that store entries of a list, each domain once. */
export function storeEntries(
  ctx: Ctx,
  changes: Changes,
  blocklistId: number,
  entries: readonly NewEntry[],
): void {
  for (let start = 0; start < entries.length; start += entriesPerStatement) {
    const part = entries.slice(start, start + entriesPerStatement).map(({ line, change, state }) => ({
      ...line,
      id: ctx.ids.next(),
      change,
      state,
    }))
    changes.add(
      ctx.db.run(sql`insert into ${blocklistEntries}
        (id, blocklist_id, domain, severity, reject_media, reject_reports, obfuscate, public_comment, change, state)
        select item.value ->> 'id', ${blocklistId}, item.value ->> 'domain', item.value ->> 'severity',
          item.value ->> 'rejectMedia', item.value ->> 'rejectReports', item.value ->> 'obfuscate',
          item.value ->> 'publicComment', item.value ->> 'change', item.value ->> 'state'
        from ${jsonRows(part)} where true on conflict (blocklist_id, domain) do nothing`),
    )
  }
}

/** Adds statements that replace values, change and state of entries. */
export function replaceEntries(ctx: Ctx, changes: Changes, entries: readonly BlocklistEntry[]): void {
  for (let start = 0; start < entries.length; start += entriesPerStatement)
    changes.add(
      ctx.db.run(sql`update ${blocklistEntries} set
          severity = item.value ->> 'severity', reject_media = item.value ->> 'rejectMedia',
          reject_reports = item.value ->> 'rejectReports', obfuscate = item.value ->> 'obfuscate',
          public_comment = item.value ->> 'publicComment', change = item.value ->> 'change',
          state = item.value ->> 'state'
        from ${jsonRows(entries.slice(start, start + entriesPerStatement))}
        where blocklist_entries.id = item.value ->> 'id'`),
    )
}
