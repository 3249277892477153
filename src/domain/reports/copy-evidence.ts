import { sql } from 'drizzle-orm'
import { both, execute, first } from '../../db/query'
import { evidenceFiles, reports } from '../../db/schema'
import { Unreachable } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import { peek } from '../../lib/media/bytes'
import { sniffMedia } from '../../lib/media/sniff'
import { readBody } from '../../lib/outgoing'
import { hostOf } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import { copyKey } from '../../ports/files'
import { Changes, commit } from '../core/changes'
import { mayProxy } from '../media/may-proxy'
import { evidenceKey } from '../media/pictures'
import { evidenceFileDays } from '../statuses/keep-evidence'
import { type EvidenceRow, findEvidence } from './find'
/** Evidence of a report or a strike: the first file that a run copies, counted from 0. */
export interface CopyOrder {
  readonly reportId: number | null
  readonly strikeId: number | null
  readonly from: number
  /** Second attempt, at those whose server was unreachable. */
  readonly isRetry?: boolean
}

const filesPerRun = 4
/** Files copied for one report or strike. */
const maxFiles = 20
/** Unit of what one reporter's reports may copy in a day; a picture is no longer. */
const unitBytes = 8_388_608
/** Longest sound and video. Streamed: an isolate has no memory for it. */
const maxMovingBytes = 5 * unitBytes
/** Time after which a server that was unreachable is asked again. */
const retrySeconds = 600

interface RemoteFile {
  readonly evidenceId: number
  readonly url: string
  readonly owner: AccountId
  /** Key of the copy. Evidence of one status shares it: files of statuses keep their ids. */
  readonly key: string
  /** Sound or video. */
  readonly isMoving: boolean
}

/**
 * Copies the next pictures, sounds and videos of remote statuses that evidence shows: their servers delete them with the
 * statuses. A job continues with the rest, and one asks servers that were unreachable again. Runs may repeat: what
 * is here is not fetched again.
 *
 * Left out are media of limited servers that are not shown here either, what is of no type that is shown or too large,
 * sound and video of unknown length, and what one member reports beyond two hundred units a day. Of a video that is left
 * out the preview is copied all the same.
 */
export async function copyEvidence(ctx: Ctx, order: CopyOrder): Promise<void> {
  const { reportId, strikeId, from, isRetry = false } = order
  const of = reportId === null ? { strikeIds: strikeId === null ? [] : [strikeId] } : { reportId }
  const [evidence, report] = await execute(
    ctx.db,
    both(
      findEvidence(ctx, of),
      first(ctx.db.select({ by: reports.accountId }).from(reports).where(sql`${reports.id} = ${reportId}`)),
    ),
  )
  const wanted = evidence.flatMap(filesOf).slice(0, maxFiles)
  const copied: RemoteFile[] = []
  let isUnreachable = false
  for (const file of wanted.slice(from, from + filesPerRun)) {
    const outcome = await copyFile(ctx, file, report?.by ?? null)
    if (outcome === 'copied') copied.push(file)
    isUnreachable ||= outcome === 'unreachable'
  }
  if (copied.length > 0) await commit(ctx, new Changes().add(storeCopies(ctx, copied)))
  if (isRetry) return
  const next = from + filesPerRun
  const job = { kind: 'copy-evidence', reportId, strikeId } as const
  if (isUnreachable) await ctx.jobs.send({ ...job, from, isRetry: true }, { delaySeconds: retrySeconds })
  if (next < wanted.length) await ctx.jobs.send({ ...job, from: next })
}

/** Files of a snapshot that lie on its server: of sound and video also the previews. */
function filesOf({ id, snapshot }: EvidenceRow): RemoteFile[] {
  const common = { evidenceId: id, owner: snapshot.accountId }
  return snapshot.attachments.flatMap(({ id: mediaId, type, file, preview }) => {
    if (type === 'unknown') return []
    const isMoving = type !== 'image'
    const whole = 'remote' in file ? [{ ...common, isMoving, url: file.remote, key: copyKey(mediaId) }] : []
    if (!isMoving || preview === null || !('remote' in preview)) return whole
    return [{ ...common, isMoving: false, url: preview.remote, key: copyKey(mediaId, 'small') }, ...whole]
  })
}

type Outcome = 'copied' | 'left out' | 'unreachable'

async function copyFile(ctx: Ctx, file: RemoteFile, reporter: AccountId | null): Promise<Outcome> {
  const { url, owner, key, isMoving } = file
  if ((await ctx.files.head(evidenceKey(key))) !== null) return 'copied'
  if (!(await mayProxy(ctx, { url, owner }))) return 'left out'
  if (!isMoving && !(await isAffordable(ctx, reporter, 1))) return 'left out'
  try {
    const answer = await ctx.http.send({
      method: 'GET',
      url,
      redirects: 'follow',
      maxBytes: isMoving ? maxMovingBytes : unitBytes,
      headers: { accept: isMoving ? 'video/*, audio/*, image/*' : 'image/*' },
    })
    if (answer.status !== 200 || answer.body === null) {
      await answer.body?.cancel()
      return 'left out'
    }
    return isMoving
      ? await streamMoving(ctx, { key, reporter, headers: answer.headers, body: answer.body })
      : await storePicture(ctx, key, await readBody(answer))
  } catch (failure) {
    // A `TypeError`: another length than announced.
    if (!(failure instanceof Unreachable || failure instanceof TypeError)) throw failure
    ctx.log.info('Failed to copy a file for evidence', { host: hostOf(url), cause: failure })
    return failure instanceof Unreachable ? 'unreachable' : 'left out'
  }
}

async function isAffordable(ctx: Ctx, reporter: AccountId | null, units: number): Promise<boolean> {
  return reporter === null || (await ctx.throttle.spend('evidencePictures', String(reporter), units)) === null
}

async function storePicture(ctx: Ctx, key: string, bytes: Uint8Array): Promise<Outcome> {
  const sniffed = sniffMedia(bytes)
  if (sniffed?.kind !== 'image' && sniffed?.kind !== 'gifv-candidate') return 'left out'
  await ctx.files.put(evidenceKey(key), bytes, sniffed.mime)
  return 'copied'
}

async function streamMoving(
  ctx: Ctx,
  {
    key,
    reporter,
    headers,
    body,
  }: {
    readonly key: string
    readonly reporter: AccountId | null
    readonly headers: Headers
    readonly body: ReadableStream
  },
): Promise<Outcome> {
  const sizeBytes = Number(headers.get('content-length') ?? 0)
  const isKnown = Number.isSafeInteger(sizeBytes) && sizeBytes > 0 && sizeBytes <= maxMovingBytes
  if (!isKnown || !(await isAffordable(ctx, reporter, Math.ceil(sizeBytes / unitBytes)))) {
    await body.cancel()
    return 'left out'
  }
  const { head, whole } = await peek(body)
  const sniffed = sniffMedia(head)
  if (sniffed === null) {
    await whole.cancel()
    return 'left out'
  }
  await ctx.files.putStream(evidenceKey(key), whole, { mime: sniffed.mime, sizeBytes })
  return 'copied'
}

function storeCopies(ctx: Ctx, copied: readonly RemoteFile[]) {
  const checkAt = new Date(ctx.clock.now().getTime() + evidenceFileDays * dayMilliseconds)
  const kept = copied.map(({ key, evidenceId }) => ({ fileKey: key, evidenceId, checkAt }))
  return ctx.db.insert(evidenceFiles).values(kept).onConflictDoNothing()
}
