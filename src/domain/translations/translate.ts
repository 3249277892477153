import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { publicPollId } from '../../contract/ids'
import { findShortcodes } from '../../contract/text/emoji'
import { combineQueries, execute, first, limitTo, map, type Query } from '../../db/query'
import { translations } from '../../db/schema'
import { Forbidden, NotFound, Unavailable } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import { escapeHtml, htmlToText, sanitiseHtml } from '../../lib/html'
import type { MediaId, PollId, StatusId } from '../../lib/ids'
import { knownLanguage } from '../../lib/language'
import { sha256 } from '../../lib/secrets'
import { withoutControls } from '../../lib/text/bytes'
import type { Ctx } from '../../ports/ctx'
import { type TranslationPairs, type Translator, undetermined } from '../../ports/translator'
import { Changes, commit } from '../core/changes'
import { type Viewer, type ViewerRef, viewerById } from '../core/viewer'
import type { VisibleStatus } from '../policy/visibility'
import { type PollRow, pollOfStatus } from '../polls/find'
import { originalOf, visibleOriginal } from '../statuses/find'

/** A status in another language. */
export interface StatusTranslation {
  /** Sanitised HTML. */
  readonly content: string
  readonly spoilerText: string
  readonly poll: { readonly id: PollId; readonly options: readonly string[] } | null
  readonly media: readonly { readonly id: MediaId; readonly description: string }[]
  readonly language: string
  readonly detected: string | null
  readonly provider: string
}

/** A status as the viewer sees it, with its poll; null for a hidden one. */
export interface Translatable {
  readonly status: VisibleStatus | null
  readonly poll: PollRow | null
}

/** The parts of the status `id`, or of its original, that can be translated. One statement each. */
export function translatable(ctx: Ctx, viewer: ViewerRef, id: StatusId): Query<Translatable> {
  return combineQueries({
    status: visibleOriginal(ctx, viewer, id),
    poll: pollOfStatus(ctx, originalOf(id)),
  })
}

/** Translates the status `id` to `language`, or to the viewer's interface language, as `translateFound` does. */
export async function translateStatus(
  ctx: Ctx,
  viewer: Viewer,
  { id, language }: { readonly id: StatusId; readonly language: string | null },
): Promise<StatusTranslation> {
  if (ctx.translator === null) throw new NotFound()
  const found = await execute(ctx.db, translatable(ctx, viewerById(viewer.id), id))
  return translateFound(ctx, found, language ?? (viewer.locale === '' ? 'en' : viewer.locale))
}

/**
 * Translates a status to `language`: text, warning, poll and descriptions.
 *
 * Only public and unlisted statuses are sent to a translation service; a reblog stands for its original. The response
 * is cached by the request, so that an edit causes a new one. `NotFound` without a service and for statuses hidden
 * from the viewer, `Forbidden` for restricted visibilities and for unsupported languages, `Unavailable` when the
 * service fails.
 */
export async function translateFound(
  ctx: Ctx,
  { status, poll }: Translatable,
  language: string,
): Promise<StatusTranslation> {
  const { translator } = ctx
  if (translator === null || status === null) throw new NotFound()
  if (status.localOnly || (status.visibility !== 'public' && status.visibility !== 'unlisted'))
    throw new Forbidden()
  const source = status.language === null ? null : knownLanguage(status.language)
  const targets = (await translationPairs(ctx))[source ?? undetermined] ?? []
  const target = targetAmong(targets, language)
  if (target === null || target === source) throw new Forbidden()
  const parts = partsOf(status, poll)
  const { texts, detected } = await translated(ctx, translator, {
    texts: parts.map(({ html }) => protect(html)),
    source,
    target,
  })
  const answers = new Map(parts.map(({ name }, index) => [name, unprotect(texts[index] ?? '')]))
  const plain = (name: string) => htmlToText(answers.get(name) ?? '')
  return {
    content: sanitiseHtml(answers.get('content') ?? ''),
    spoilerText: plain('spoiler'),
    poll: poll && {
      id: publicPollId(poll),
      options: poll.options.map((_, index) => plain(`option ${index}`)),
    },
    media: described(status).map((media) => ({ id: media.id, description: plain(`media ${media.id}`) })),
    language: target,
    detected: source ?? detected,
    provider: translator.name,
  }
}

interface Part {
  readonly name: string
  readonly html: string
}

/** The texts to translate. Clients take missing descriptions for unchanged. */
function partsOf(status: VisibleStatus, poll: PollRow | null): Part[] {
  return [
    { name: 'content', html: status.content },
    { name: 'spoiler', html: escapeHtml(status.spoilerText) },
    ...(poll?.options ?? []).map((option, index) => ({ name: `option ${index}`, html: escapeHtml(option) })),
    ...described(status).map(({ id, description }) => ({
      name: `media ${id}`,
      html: escapeHtml(description),
    })),
  ].filter(({ html }) => html !== '')
}

function described({ attachments }: VisibleStatus) {
  return attachments.flatMap(({ id, description }) => (description ? [{ id, description }] : []))
}

const protectedOnes = /<span\s+translate="?no"?\s*>(:\w+:)<\/span>/gi

/** Protects shortcodes of custom emojis, which are no words, and the content of tags, which is no text. */
function protect(html: string): string {
  const names = findShortcodes(html)
  if (names.length === 0) return html
  const protectedIn = (text: string) =>
    names.reduce((all, name) => all.replaceAll(`:${name}:`, `<span translate="no">:${name}:</span>`), text)
  return html
    .split(/(<[^>]*>)/)
    .map((part) => (part.startsWith('<') ? part : protectedIn(part)))
    .join('')
}

function unprotect(html: string): string {
  return html.replaceAll(protectedOnes, '$1')
}

interface TranslationRequest {
  readonly texts: readonly string[]
  readonly source: string | null
  readonly target: string
}

const CachedTexts = z.object({ texts: z.array(z.string()), detected: z.string().nullable() })
type Translated = z.output<typeof CachedTexts>
/** Limit for a status with its parts, tags included; remote statuses may be of any length. */
const maxCharacters = 50_000
/** Real translations do not grow that much: longer ones are discarded. */
const maxGrowth = { times: 10, characters: 1_000 }

async function translated(ctx: Ctx, translator: Translator, wanted: TranslationRequest): Promise<Translated> {
  if (wanted.texts.length === 0) return { texts: [], detected: null }
  if (wanted.texts.join('').length > maxCharacters) throw new Unavailable('too_long_to_translate')
  const key = await sha256(`translation ${JSON.stringify([translator.id, wanted])}`)
  const cached = await execute(ctx.db, cachedTranslation(ctx, key))
  if (cached !== null) return withCleanTexts(CachedTexts.parse(JSON.parse(cached)))
  const { texts, detected } = await translator.translate(wanted)
  const { times, characters } = maxGrowth
  const isBloated = texts.some(
    (text, at) => text.length > (wanted.texts[at] ?? '').length * times + characters,
  )
  if (isBloated || texts.length !== wanted.texts.length)
    throw new Unavailable('translation_unavailable', {}, 'Its answer is no translation')
  const answer = withCleanTexts({ texts: [...texts], detected })
  const row = { key, answer: JSON.stringify(answer), createdAt: ctx.clock.now() }
  await commit(ctx, new Changes().add(ctx.db.insert(translations).values(row).onConflictDoNothing()))
  return answer
}

/** The translation without control characters: a service answers whatever it likes. */
function withCleanTexts({ texts, detected }: Translated): Translated {
  return { texts: texts.map(withoutControls), detected }
}

const keptMilliseconds = 7 * dayMilliseconds
const maxCached = 5_000
const droppedPerRun = 500

/** Cron: deletes translations after a week, and the oldest beyond the maximum. */
export async function pruneTranslations(ctx: Ctx): Promise<void> {
  const before = ctx.clock.now().getTime() - keptMilliseconds
  const beyond = sql`(select created_at from translations order by created_at desc
    limit 1 offset ${sql.raw(String(maxCached))})`
  const old = sql`select key from translations where created_at <= max(${before}, coalesce(${beyond}, 0))
    order by created_at ${limitTo(droppedPerRun)}`
  await commit(ctx, new Changes().add(ctx.db.delete(translations).where(sql`key in (${old})`)))
}

/** The cached response of a service to the same request, as JSON. One statement. */
function cachedTranslation(ctx: Ctx, key: string): Query<string | null> {
  const found = first(
    ctx.db.select({ answer: translations.answer }).from(translations).where(eq(translations.key, key)),
  )
  return map(found, (row) => row?.answer ?? null)
}

const Pairs = z.record(z.string(), z.array(z.string()))
const hour = 3_600

/**
 * Supported language pairs; empty without a service. The service is queried once an hour by each isolate.
 * `Unavailable` when it does not answer.
 */
export async function translationPairs({ translator, memory }: Ctx): Promise<TranslationPairs> {
  if (translator === null) return {}
  const key = `translation pairs ${translator.id}`
  const remembered = memory.get(key)
  if (remembered !== null) return Pairs.parse(JSON.parse(remembered))
  const pairs = await translator.pairs()
  memory.set(key, JSON.stringify(pairs), hour)
  return pairs
}

/** The target language: as requested, or without its region. Null if unsupported. */
function targetAmong(targets: readonly string[], requested: string): string | null {
  if (targets.includes(requested)) return requested
  const [primary = ''] = requested.split(/[-_]/)
  return targets.includes(primary) ? primary : null
}
