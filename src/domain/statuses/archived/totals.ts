import { eq, type SQL, sql } from 'drizzle-orm'
import { mediaLimits, pollLimits, statusBytes } from '../../../contract/limits'
import { first, map, oneRow, type Query } from '../../../db/query'
import { archiveImportDays, archiveImports } from '../../../db/schema'
import { type AppError, Invalid, RateLimited } from '../../../errors'
import { dayMilliseconds, dayOf } from '../../../lib/days'
import { type AccountId, instantOf } from '../../../lib/ids'
import { utf8Bytes } from '../../../lib/text/bytes'
import type { ArchivedStatus } from '../../../ports/archives'
import type { Ctx } from '../../../ports/ctx'
import { Changes } from '../../core/changes'

const mebibyte = 1_048_576

/**
 * Numbers of posts and files, and of bytes of each, that an account may import on a day (UTC) and in all. Shares and refused
 * entries count as posts. Reasons for the numbers: docs/decisions/0063-bounded-imports.md.
 */
export const importLimits = {
  posts: {
    perDay: { count: 4_000, bytes: 16 * mebibyte },
    inAll: { count: 100_000, bytes: 128 * mebibyte },
  },
  files: {
    perDay: { count: 1_440, bytes: 1_024 * mebibyte },
    inAll: { count: 20_000, bytes: 5_120 * mebibyte },
  },
} as const

type Subject = keyof typeof importLimits
type Span = 'perDay' | 'inAll'

const columns = {
  posts: { count: sql.raw('entries'), bytes: sql.raw('bytes') },
  files: { count: sql.raw('files'), bytes: sql.raw('file_bytes') },
} as const satisfies Readonly<Record<Subject, unknown>>

/** Amounts to be counted; an expression is read before anything of the batch is written. */
interface Amounts {
  readonly count: number | SQL
  readonly bytes: number | SQL
}

/**
 * Counts what a request imports. The batch fails with `RateLimited` above a total of the day, with `Invalid` above one of the
 * account: across all imports and tokens of the account, and with nothing of the request stored.
 */
export function countImported(ctx: Ctx, owner: AccountId, subject: Subject, amounts: Amounts): Changes {
  const { count, bytes } = columns[subject]
  const today = dayOf(ctx.clock.now())
  const fits = (span: Span) => {
    const most = importLimits[subject][span]
    const of = span === 'perDay' ? sql`day = ${today}` : sql`1`
    return sql`(select coalesce(sum(${count}), 0) + ${amounts.count} <= ${most.count}
        and coalesce(sum(${bytes}), 0) + ${amounts.bytes} <= ${most.bytes}
      from archive_import_days where account_id = ${owner} and ${of})`
  }
  return new Changes()
    .require(fits('inAll'), refusalOf(ctx, subject, 'inAll'))
    .require(fits('perDay'), refusalOf(ctx, subject, 'perDay'))
    .add(
      ctx.db.run(sql`insert into ${archiveImportDays} (account_id, day, ${count}, ${bytes})
        values (${owner}, ${today}, ${amounts.count}, ${amounts.bytes})
        on conflict (account_id, day) do update
          set ${count} = ${count} + excluded.${count}, ${bytes} = ${bytes} + excluded.${bytes}`),
    )
}

/** Reason why an account may import no more files; null where it may. Asked before a file is processed. One statement. */
export function filesRefused(ctx: Ctx, owner: AccountId): Query<AppError | null> {
  const { perDay, inAll } = importLimits.files
  const today = dayOf(ctx.clock.now())
  const days = ctx.db
    .select({
      inAll: sql<number>`(select coalesce(sum(files), 0) from archive_import_days
        where account_id = ${owner})`.as('in_all'),
      today: sql<number>`(select coalesce(sum(files), 0) from archive_import_days
        where account_id = ${owner} and day = ${today})`.as('today'),
    })
    .from(oneRow)
  return map(first(days), (used) => {
    if ((used?.inAll ?? 0) >= inAll.count) return refusalOf(ctx, 'files', 'inAll')
    return (used?.today ?? 0) >= perDay.count ? refusalOf(ctx, 'files', 'perDay') : null
  })
}

function refusalOf(ctx: Ctx, subject: Subject, span: Span): AppError {
  const { count, bytes } = importLimits[subject][span]
  const most = { max: count, subject, size: String(bytes / mebibyte) }
  if (span === 'inAll') return new Invalid('archive_totals', most)
  const resetAt = new Date((dayOf(ctx.clock.now()) + 1) * dayMilliseconds)
  return new RateLimited({ limit: count, remaining: 0, resetAt }, 'archive_totals_today', most)
}

/** Counts a file that an import brings, for the account and for the import. */
export function countImportedFile(
  ctx: Ctx,
  { id, accountId }: { readonly id: number; readonly accountId: AccountId },
  bytes: number,
): Changes {
  return countImported(ctx, accountId, 'files', { count: 1, bytes }).add(
    ctx.db
      .update(archiveImports)
      .set({ files: sql`files + 1`, fileBytes: sql`file_bytes + ${bytes}` })
      .where(eq(archiveImports.id, id)),
  )
}

interface Texts {
  readonly text: string
  readonly content: string
  /** Limit of this server. */
  readonly statusCharacters: number
}

/**
 * Reason why a post of an archive is larger than one that is written here may be; null for one that is not. Characters are not
 * counted: servers of longer posts than here are moved away from too.
 */
export function excessOf(
  { spoilerText, poll, files }: ArchivedStatus,
  { text, content, statusCharacters }: Texts,
): string | null {
  const most = statusBytes(statusCharacters)
  if (utf8Bytes(spoilerText) + utf8Bytes(text) > most.text) return `Its text has more than ${most.text} bytes`
  if (utf8Bytes(content) > most.html) return `Its HTML has more than ${most.html} bytes`
  const mostOfPoll = pollLimits.options * pollLimits.optionBytes
  if (bytesOf(poll?.options ?? []) > mostOfPoll) return `Its poll has more than ${mostOfPoll} bytes`
  if (bytesOf(files.map(({ description }) => description ?? '')) > mediaLimits.descriptionsBytes)
    return `The descriptions of its files have more than ${mediaLimits.descriptionsBytes} bytes`
  return null
}

function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + utf8Bytes(text), 0)
}

/** Age from which a post of an archive may be listed like others. */
const settledMilliseconds = 7 * dayMilliseconds

/**
 * Whether an imported post is for the profile and its own address alone: its date is after the first day of the account here,
 * when it could have been posted here, or less than a week before the import.
 */
export function isProfileOnly(author: AccountId, publishedAt: Date, now: Date): boolean {
  const firstDayEnds = instantOf(author).getTime() + dayMilliseconds
  return publishedAt.getTime() >= Math.min(firstDayEnds, now.getTime() - settledMilliseconds)
}
