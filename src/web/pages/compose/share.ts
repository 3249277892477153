import { mediaLimits } from '../../../contract/limits'
import { uploadMedia } from '../../../domain/media/upload'
import type { WebSession } from '../../../domain/sessions/web-session'
import { AppError, TooLarge } from '../../../errors'
import { isMultipart, readParams } from '../../../lib/params'
import type { AppContext } from '../../../ports/app-env'
import { type FormFields, formFieldsOf } from '../../csrf'
import { detourOf } from '../../member-view'
import { openPage } from '../../page-request'
import { paths } from '../../paths'
import { memberViewer } from '../interact/member-viewer'
import type { LeftOut } from './start'

/**
 * Takes what the share sheet of a device sends to the installed site, which no form of a page made: it carries no CSRF token, and
 * leads to a composer that is filled, where the member still has to send it.
 *
 * Files are uploaded for the member only where the browser says that no site asked for it (`Sec-Fetch-Site: none`). Of a form of
 * another site the text alone is shown.
 */
export async function takeShared(c: AppContext): Promise<Response> {
  const { bodies, uploads } = c.get('ctx')
  const visit = await openPage(c)
  const { session } = visit
  const isActive = session !== null && (await detourOf(c, visit, session)) === null
  const member = isActive && c.req.header('sec-fetch-site') === 'none' ? session : null
  if (member !== null && uploads !== null && isMultipart(c.req.raw.headers))
    return uploads.answer(member.accountId, c.req.raw)
  try {
    const kind = member === null ? 'stranger' : 'upload'
    const fields = formFieldsOf(await readParams(bodies, c.req.raw, { kind }))
    return c.redirect(await filledComposer(c, member, fields), 303)
  } catch (failure) {
    if (!(failure instanceof TooLarge)) throw failure
    return c.redirect(`${paths.publish}?${new URLSearchParams({ left_out: 'files' satisfies LeftOut })}`, 303)
  }
}

/** Characters of an address that every browser and server takes. */
const mostAddress = 6_000

/** Path of the composer with a shared text and the files that were taken. */
async function filledComposer(
  c: AppContext,
  member: WebSession | null,
  { form, uploads }: FormFields,
): Promise<string> {
  const given = uploads('file')
  const media = member === null ? [] : await uploadEach(c, member, given)
  const isCut = media.length < given.length
  const path = new URLSearchParams()
  if (media.length > 0) path.set('media', media.join(','))
  if (isCut) path.set('left_out', 'files' satisfies LeftOut)
  for (const name of ['title', 'url', 'text']) {
    const words = form(name).trim()
    const room = mostAddress - path.toString().length
    const fitting = cutTo(words, room)
    if (fitting !== '') path.set(name, fitting)
    if (fitting.length < words.length) path.set('left_out', 'text' satisfies LeftOut)
  }
  return `${paths.publish}?${path}`
}

/** The beginning of a text that takes this many characters in an address. */
function cutTo(text: string, room: number): string {
  let [taken, beginning] = [0, '']
  for (const character of text) {
    taken += encodeURIComponent(character.isWellFormed() ? character : ' ').length
    if (taken > room) break
    beginning += character
  }
  return beginning
}

/** Uploads files, as many as a post has, and leaves out those that are refused. */
async function uploadEach(
  c: AppContext,
  { accountId }: WebSession,
  files: readonly Uint8Array[],
): Promise<readonly number[]> {
  const ctx = c.get('ctx')
  const viewer = await memberViewer(ctx, accountId)
  const ids: number[] = []
  for (const file of files.slice(0, mediaLimits.perStatus)) {
    try {
      await ctx.throttle.take('media', String(viewer.id))
      ids.push((await uploadMedia(ctx, viewer, { file })).id)
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure
      ctx.log.info('A shared file was not taken', { reason: failure.message })
    }
  }
  return ids
}
