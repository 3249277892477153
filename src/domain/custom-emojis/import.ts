import { execute } from '../../db/query'
import { AppError, Invalid } from '../../errors'
import { listZip, unzip, type ZipEntry } from '../../lib/archives/zip'
import type { Job } from '../../messages/jobs'
import type { Ctx } from '../../ports/ctx'
import { archivesFolder } from '../../ports/files'
import { recordAudit } from '../core/audit'
import { outdateCachedList } from '../core/cached-lists'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { checkedCategory, emojiLimits, isShortcode, storeEmoji } from './change'
import { takenShortcodes } from './find'

/** Bounds of an archive, which is in memory whole while it is read. */
export const emojiArchiveLimits = { bytes: 8_388_608, pictures: 500 } as const

/** Pictures of one job: each takes an upload or two, and a statement for each of its effects. */
const picturesPerPart = 4

export const importRefusals = ['no-picture', 'shortcode', 'too-large', 'twice', 'taken'] as const
export type ImportRefusal = (typeof importRefusals)[number]

/** Outcome of an archive before its pictures are looked into: shortcodes to be added, and files left out. */
export interface EmojiImport {
  readonly shortcodes: readonly string[]
  readonly refused: readonly { readonly name: string; readonly reason: ImportRefusal }[]
}

/**
 * Adds the pictures of a zip archive as local custom emojis, named by their files, in parts by a job. Existing emojis
 * stay as they are, and files that turn out to be no pictures are left out.
 *
 * `Invalid` for a file that is no archive or too large, and where nothing in it can be added.
 */
export async function importEmojis(
  ctx: Ctx,
  moderator: Moderator,
  { bytes, ...order }: { readonly bytes: Uint8Array; readonly category: string | null },
): Promise<EmojiImport> {
  const category = checkedCategory(order.category)
  const { bytes: mostBytes, pictures: mostPictures } = emojiArchiveLimits
  if (bytes.length > mostBytes)
    throw new Invalid('over_megabytes', { field: 'archive', max: mostBytes / 1_048_576 })
  const { pictures, refused } = listPictures(bytes)
  if (pictures.length > mostPictures)
    throw new Invalid('too_many_pictures', { field: 'archive', max: mostPictures })
  const names = pictures.map(({ shortcode }) => shortcode)
  const taken = new Set(await execute(ctx.db, takenShortcodes(ctx, names)))
  const shortcodes = names.filter((name) => !taken.has(name))
  const plan = {
    shortcodes,
    refused: [
      ...refused,
      ...names.filter((name) => taken.has(name)).map((name) => ({ name, reason: 'taken' as const })),
    ],
  }
  if (shortcodes.length === 0) throw new Invalid('no_usable_picture', { field: 'archive' })
  const id = ctx.ids.next()
  const key = `${archivesFolder}emojis/${id}-${ctx.random.token()}.zip`
  const changes = new Changes().enqueue({ kind: 'import-emojis', key, category, from: 0 })
  recordAudit(ctx, changes, moderator, {
    action: 'import',
    target: { type: 'custom_emoji', id: null, label: category ?? '' },
    after: { count: shortcodes.length, shortcodes: shortcodes.slice(0, 100) },
  })
  await ctx.files.put(key, bytes, 'application/zip')
  await commit(ctx, changes)
  return plan
}

type Part = Job & { readonly kind: 'import-emojis' }

/** Adds the next pictures of an archive. A part may run twice: emojis that exist by then are left as they are. */
export async function continueImport(ctx: Ctx, { key, category, from }: Part): Promise<void> {
  const bytes = await readArchive(ctx, key)
  if (bytes === null) return
  const { pictures } = listPictures(bytes)
  const part = pictures.slice(from, from + picturesPerPart)
  for (const { entry, shortcode } of part) {
    const picture = unzip(bytes, entry, emojiLimits.bytes)
    if (picture !== null) await addUnlessRefused(ctx, { shortcode, bytes: picture, category })
  }
  await outdateCachedList(ctx, 'emojis')
  const next = from + picturesPerPart
  if (next < pictures.length) await ctx.jobs.send({ kind: 'import-emojis', key, category, from: next })
  else await ctx.files.delete([key])
}

async function addUnlessRefused(ctx: Ctx, order: Parameters<typeof storeEmoji>[1]): Promise<void> {
  try {
    await storeEmoji(ctx, order)
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal
    ctx.log.info('A picture of an archive of emojis was left out', {
      shortcode: order.shortcode,
      reason: refusal.message,
    })
  }
}

async function readArchive(ctx: Ctx, key: string): Promise<Uint8Array | null> {
  const stored = await ctx.files.get(key)
  return stored === null ? null : new Uint8Array(await new Response(stored.body).arrayBuffer())
}

interface ListedPicture {
  readonly entry: ZipEntry
  readonly shortcode: string
}

/** Files that operating systems and Mastodon's export add to an archive. */
const isBeside = (name: string) =>
  /(^|\/)(\.|__MACOSX\/|Thumbs\.db$|meta\.json$)/.test(name) || name.endsWith('/')

/** Pictures of an archive by what it says about its files, none of which is unpacked, and the files left out. Pure. */
function listPictures(bytes: Uint8Array): {
  readonly pictures: readonly ListedPicture[]
  readonly refused: EmojiImport['refused']
} {
  const pictures: ListedPicture[] = []
  const refused: { name: string; reason: ImportRefusal }[] = []
  const seen = new Set<string>()
  const entries = listZip(bytes)
  if (entries === null) throw new Invalid('no_zip', { field: 'archive' })
  for (const entry of entries) {
    if (isBeside(entry.name)) continue
    const base = entry.name.split('/').at(-1) ?? ''
    const [, stem = '', extension] = /^(.*)\.(png|gif|webp)$/i.exec(base) ?? []
    const shortcode = stem.replaceAll(/[\s-]/g, '_')
    const reason = refusalOf(entry, { shortcode, isPicture: extension !== undefined, seen })
    if (reason === null) pictures.push({ entry, shortcode })
    else refused.push({ name: base, reason })
    seen.add(shortcode)
  }
  return { pictures, refused }
}

function refusalOf(
  { statedBytes, packedBytes }: ZipEntry,
  {
    shortcode,
    isPicture,
    seen,
  }: { readonly shortcode: string; readonly isPicture: boolean; readonly seen: ReadonlySet<string> },
): ImportRefusal | null {
  if (!isPicture) return 'no-picture'
  if (!isShortcode(shortcode)) return 'shortcode'
  if (Math.max(statedBytes, packedBytes) > emojiLimits.bytes) return 'too-large'
  return seen.has(shortcode) ? 'twice' : null
}
