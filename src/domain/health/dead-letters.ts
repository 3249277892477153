import { eq, sql } from 'drizzle-orm'
import {
  combineQueries,
  execute,
  first,
  inList,
  jsonRows,
  limitTo,
  map,
  oneRow,
  type Query,
  rows,
} from '../../db/query'
import { deadLetters, outbox } from '../../db/schema'
import { Invalid, NotFound } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import { firstIdAt, instantOf } from '../../lib/ids'
import { isKnownKind, StoredMessage } from '../../messages/stored'
import type { Ctx } from '../../ports/ctx'
import { type AuditAction, recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'

const mostListed = 40
/** Letters are counted up to here. */
const mostCounted = 200
/** Letters that one call for many retries or drops. */
const mostAtOnce = 20
/** Letters are kept for so long, and so many of them. */
const keptDays = 30
const mostKept = 1_000
/** Time after which a pending delivery to a webhook counts as lost. */
const lostMilliseconds = 15 * 60_000

/** A failed job. Its content stays out, since it may hold addresses. */
export interface DeadLetter {
  readonly id: number
  readonly kind: string
  readonly diedAt: Date
  /** Whether this version knows the kind. */
  readonly isRetryable: boolean
}

/** A message as the dead-letter queue delivers it. */
export interface ReceivedLetter {
  readonly messageId: string
  readonly kind: string | null
  readonly message: unknown
}

/** Stores letters; known ones change nothing. */
export async function storeLetters(ctx: Ctx, letters: readonly ReceivedLetter[]): Promise<void> {
  const added = letters.map(({ messageId, kind, message }) => ({
    id: ctx.ids.next(),
    messageId,
    kind: kind ?? '',
    message,
  }))
  const insert = ctx.db.run(sql`insert into ${deadLetters} (id, message_id, kind, message)
    select item.value ->> 'id', item.value ->> 'messageId', item.value ->> 'kind', item.value -> 'message'
    from ${jsonRows(added)} where 1 on conflict (message_id) do nothing`)
  await commit(ctx, new Changes().add(insert))
}

/** The next letters behind `after`, the oldest first, and the number of all, at most `mostCounted`. */
export function findDeadLetters(
  ctx: Ctx,
  after: number,
): Query<{ readonly count: number; readonly letters: readonly DeadLetter[]; readonly next: number | null }> {
  const { id, kind } = deadLetters
  const page = ctx.db
    .select({ id, kind })
    .from(deadLetters)
    .where(sql`${id} > ${after}`)
    .orderBy(id)
    .limit(mostListed)
  const counted = sql<number>`(select count(*) from (select 1 from dead_letters ${limitTo(mostCounted)}))`
  return map(
    combineQueries({
      found: rows(page),
      counted: first(ctx.db.select({ count: counted.as('count') }).from(oneRow)),
    }),
    ({ found, counted: all }) => ({
      count: all?.count ?? 0,
      letters: found.map((letter) => ({
        ...letter,
        diedAt: instantOf(letter.id),
        isRetryable: isKnownKind(letter.kind),
      })),
      next: found.length < mostListed ? null : (found.at(-1)?.id ?? null),
    }),
  )
}

/**
 * Puts a letter into the outbox, whose sweep runs it as a new one. `NotFound` for an unknown id; `Invalid` where this
 * version does not know the message.
 */
export async function retryLetter(ctx: Ctx, moderator: Moderator, id: number): Promise<void> {
  const [letter] = await execute(
    ctx.db,
    rows(ctx.db.select().from(deadLetters).where(eq(deadLetters.id, id))),
  )
  if (letter === undefined) throw new NotFound()
  if (!StoredMessage.safeParse(letter.message).success) throw new Invalid('unknown_message')
  const changes = new Changes().require(exists(id), new NotFound()).add(...moved(ctx, [id]))
  await record(ctx, moderator, changes, { action: 'retry', id, label: letter.kind })
}

/** Deletes a letter: its work is never done. */
export async function dropLetter(ctx: Ctx, moderator: Moderator, id: number): Promise<void> {
  const changes = new Changes()
    .require(exists(id), new NotFound())
    .add(ctx.db.delete(deadLetters).where(eq(deadLetters.id, id)))
  await record(ctx, moderator, changes, { action: 'drop', id, label: '' })
}

/** Letters that one call concerns: of one kind or of all, behind `after`. */
export interface LetterChoice {
  readonly kind: string | null
  readonly after: number
}

interface Handled {
  readonly count: number
  /** Id behind which the next part begins; null at the end. */
  readonly next: number | null
}

/** Retries the next letters of a choice, as `retryLetter` does. Those that cannot be run stay. */
export async function retryLetters(ctx: Ctx, moderator: Moderator, choice: LetterChoice): Promise<Handled> {
  const found = await chosen(ctx, choice)
  const ids = found.flatMap(({ id, message }) => (StoredMessage.safeParse(message).success ? [id] : []))
  const changes = new Changes().add(...moved(ctx, ids))
  return handle(ctx, moderator, { found, ids, action: 'retry', changes, choice })
}

/** Deletes the next letters of a choice. */
export async function dropLetters(ctx: Ctx, moderator: Moderator, choice: LetterChoice): Promise<Handled> {
  const found = await chosen(ctx, choice)
  const ids = found.map(({ id }) => id)
  const changes = new Changes().add(ctx.db.delete(deadLetters).where(inList(deadLetters.id, ids)))
  return handle(ctx, moderator, { found, ids, action: 'drop', changes, choice })
}

interface Handling {
  readonly found: readonly { readonly id: number }[]
  readonly ids: readonly number[]
  readonly action: AuditAction
  readonly changes: Changes
  readonly choice: LetterChoice
}

async function handle(
  ctx: Ctx,
  moderator: Moderator,
  { found, ids, action, changes, choice }: Handling,
): Promise<Handled> {
  if (ids.length > 0)
    await record(ctx, moderator, changes, {
      action,
      id: null,
      label: choice.kind ?? '',
      count: ids.length,
    })
  return { count: ids.length, next: found.length < mostAtOnce ? null : (found.at(-1)?.id ?? null) }
}

function chosen(ctx: Ctx, { kind, after }: LetterChoice) {
  const isChosen = kind === null ? sql`1` : eq(deadLetters.kind, kind)
  return execute(
    ctx.db,
    rows(
      ctx.db
        .select({ id: deadLetters.id, message: deadLetters.message })
        .from(deadLetters)
        .where(sql`${deadLetters.id} > ${after} and ${isChosen}`)
        .orderBy(deadLetters.id)
        .limit(mostAtOnce),
    ),
  )
}

/**
 * Statements that move letters to the outbox, due at once. Under their ids, so that a second move adds nothing. Failed
 * deliveries to webhooks are pending again.
 */
function moved(ctx: Ctx, ids: readonly number[]) {
  const now = ctx.clock.now().getTime()
  return [
    ctx.db.run(sql`update webhook_deliveries
      set state = 'pending', attempts = 0, next_attempt_at = ${now + lostMilliseconds}
      where state = 'failed' and id in (select message ->> 'deliveryId' from dead_letters
        where ${inList(deadLetters.id, ids)} and kind = 'deliver-webhook')`),
    ctx.db.run(sql`insert into ${outbox} (id, event, attempts, not_before)
      select id, message, 0, ${now} from dead_letters where ${inList(deadLetters.id, ids)}
      on conflict (id) do nothing`),
    ctx.db.delete(deadLetters).where(inList(deadLetters.id, ids)),
  ] as const
}

function exists(id: number) {
  return sql`exists (select 1 from dead_letters where id = ${id})`
}

async function record(
  ctx: Ctx,
  moderator: Moderator,
  changes: Changes,
  {
    action,
    id,
    label,
    count = 1,
  }: {
    readonly action: AuditAction
    readonly id: number | null
    readonly label: string
    readonly count?: number
  },
): Promise<void> {
  const target = { type: 'dead_letter' as const, id, label }
  await commit(ctx, recordAudit(ctx, changes, moderator, { action, target, after: { count } }))
}

/** Cron: deletes letters beyond their age and number. */
export async function pruneDeadLetters(ctx: Ctx): Promise<void> {
  const before = firstIdAt(new Date(ctx.clock.now().getTime() - keptDays * dayMilliseconds))
  const beyond = sql`coalesce((select id from dead_letters order by id desc limit 1 offset ${sql.raw(
    String(mostKept),
  )}), 0)`
  const deletion = ctx.db
    .delete(deadLetters)
    .where(sql`${deadLetters.id} < ${before} or ${deadLetters.id} <= ${beyond}`)
  await commit(ctx, new Changes().add(deletion))
}
