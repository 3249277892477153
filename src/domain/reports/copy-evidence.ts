import { sql } from 'drizzle-orm'
import { both, execute, first } from '../../db/query'
import { evidenceFiles, reports } from '../../db/schema'
import { Unreachable } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import { copyKey } from '../../lib/media/copy-key'
import { sniffMedia } from '../../lib/media/sniff'
import { readBody } from '../../lib/outgoing/http'
import { hostOf } from '../../lib/web-address'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { mayProxy } from '../media/may-proxy'
import { evidenceKey } from '../media/pictures'
import { evidenceFileDays } from '../statuses/keep-evidence'
import { type EvidenceRow, findEvidence } from './find-for-moderators'

/** Evidence of a report or a strike: the first picture that a run copies, counted from 0. */
export interface CopyOrder {
  readonly reportId: number | null
  readonly strikeId: number | null
  readonly from: number
  /** Second attempt, at those whose server was not reached. */
  readonly isRetry?: boolean
}

const picturesPerRun = 4
/** Pictures copied for one report or strike. */
const maxPictures = 20
const maxBytes = 8_388_608
/** Time after which a server that was not reached is asked once more. */
const retrySeconds = 600

interface RemotePicture {
  readonly evidenceId: number
  readonly url: string
  readonly owner: AccountId
  /** Key of the copy. Evidence of one status shares it: files of statuses keep their ids. */
  readonly key: string
}

/**
 * Copies the next pictures of remote statuses that evidence shows: their servers delete them with the statuses. A job
 * continues with the rest, and one asks servers that were not reached once more. Runs may repeat: what is here is not
 * fetched again.
 *
 * Left out are media of limited servers that are not shown here either, what is no picture or too large, and, beyond two
 * hundred a day, what one member reports.
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
  const wanted = evidence.flatMap(picturesOf).slice(0, maxPictures)
  const copied: RemotePicture[] = []
  let isUnreachable = false
  for (const picture of wanted.slice(from, from + picturesPerRun)) {
    const outcome = await copyPicture(ctx, picture, report?.by ?? null)
    if (outcome === 'copied') copied.push(picture)
    isUnreachable ||= outcome === 'unreachable'
  }
  if (copied.length > 0) await commit(ctx, new Changes().add(storeCopies(ctx, copied)))
  if (isRetry) return
  const next = from + picturesPerRun
  const job = { kind: 'copy-evidence', reportId, strikeId } as const
  if (isUnreachable) await ctx.jobs.send({ ...job, from, isRetry: true }, { delaySeconds: retrySeconds })
  if (next < wanted.length) await ctx.jobs.send({ ...job, from: next })
}

/** Pictures of a snapshot that lie on its server. */
function picturesOf({ id, snapshot }: EvidenceRow): RemotePicture[] {
  return snapshot.attachments.flatMap(({ id: mediaId, type, file }) => {
    if (type !== 'image' || !('remote' in file)) return []
    return [{ evidenceId: id, url: file.remote, owner: snapshot.accountId, key: copyKey(mediaId) }]
  })
}

async function copyPicture(
  ctx: Ctx,
  picture: RemotePicture,
  reporter: AccountId | null,
): Promise<'copied' | 'left out' | 'unreachable'> {
  const { url, owner, key } = picture
  if ((await ctx.files.head(evidenceKey(key))) !== null) return 'copied'
  if (!(await mayProxy(ctx, { url, owner }))) return 'left out'
  if (reporter !== null && (await ctx.throttle.spend('evidencePictures', String(reporter), 1)) !== null)
    return 'left out'
  const bytes = await fetchPicture(ctx, url)
  if (bytes === 'unreachable') return bytes
  const sniffed = bytes === null ? null : sniffMedia(bytes)
  if (bytes === null || (sniffed?.kind !== 'image' && sniffed?.kind !== 'gifv-candidate')) return 'left out'
  await ctx.files.put(evidenceKey(key), bytes, sniffed.mime)
  return 'copied'
}

/** Null where its server has none, or none that is small enough. */
async function fetchPicture(ctx: Ctx, url: string): Promise<Uint8Array | 'unreachable' | null> {
  try {
    const answer = await ctx.http.send({
      method: 'GET',
      url,
      redirects: 'follow',
      maxBytes,
      headers: { accept: 'image/*' },
    })
    if (answer.status === 200) return await readBody(answer)
    await answer.body?.cancel()
    return null
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure
    ctx.log.info('Failed to fetch a picture for evidence', { host: hostOf(url), cause: failure })
    return 'unreachable'
  }
}

function storeCopies(ctx: Ctx, copied: readonly RemotePicture[]) {
  const checkAt = new Date(ctx.clock.now().getTime() + evidenceFileDays * dayMilliseconds)
  const kept = copied.map(({ key, evidenceId }) => ({ fileKey: key, evidenceId, checkAt }))
  return ctx.db.insert(evidenceFiles).values(kept).onConflictDoNothing()
}
