import { eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { contrasts, type Look, lookOf, mediaChoices, palettes, textSizes, themes } from '../../contract/look'
import type { MailKind } from '../../contract/notification-kinds'
import { first, map, type Query } from '../../db/query'
import { accounts, users } from '../../db/schema'
import type { CatchUpChoices, HomeKind, MailSettings, UserSettings } from '../../db/schema/accounts'
import { quotePolicies, visibilities } from '../../db/schema/statuses'
import { InvalidFields } from '../../errors'
import { problem } from '../../errors/sentences'
import { isTimeZone } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import { knownLanguage } from '../../lib/language'
import { pageLanguageOf } from '../../lib/page-language'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { ViewerRef } from '../core/viewer'

const KnownLanguage = z.string().refine((code) => knownLanguage(code) === code)

/** Choices on the preferences page. An empty list of languages means all of them. */
const Choice = z.object({
  defaultVisibility: z.enum(visibilities),
  defaultSensitive: z.boolean(),
  /** Null: the locale of the user. */
  defaultLanguage: KnownLanguage.nullable(),
  defaultQuotePolicy: z.enum(quotePolicies),
  chosenLanguages: z
    .array(KnownLanguage)
    .max(200)
    .transform((codes) => (codes.length === 0 ? null : [...new Set(codes)])),
  expandMedia: z.enum(mediaChoices),
  expandSpoilers: z.boolean(),
  autoplayGifs: z.boolean(),
  showApplication: z.boolean(),
  remindsOfDescriptions: z.boolean(),
})

/** Settings the defaults of a user depend on; null for an unknown account. One statement. */
export function findOwnSettings(
  ctx: Ctx,
  accountId: AccountId,
): Query<{ readonly settings: UserSettings; readonly locked: boolean; readonly locale: string } | null> {
  return first(
    ctx.db
      .select({ settings: users.settings, locale: users.locale, locked: accounts.locked })
      .from(users)
      .innerJoin(accounts, eq(accounts.id, users.accountId))
      .where(eq(users.accountId, accountId)),
  )
}

/** Parses a choice; null when a value is not offered. */
export function parseChoice(sent: unknown): z.output<typeof Choice> | null {
  return Choice.safeParse(sent).data ?? null
}

/** Saves a user's posting and reading preferences; other settings stay as they are. */
export async function savePreferences(
  ctx: Ctx,
  accountId: AccountId,
  choice: z.output<typeof Choice>,
): Promise<void> {
  const settings = withSettings(choice)
  await commit(
    ctx,
    new Changes()
      .add(ctx.db.update(users).set({ settings }).where(eq(users.accountId, accountId)))
      // Stream connections cache the chosen languages.
      .publish({ kind: 'rules.changed', accountId }),
  )
}

/** Look of pages, language of pages and mails, and time zone of dates. */
export interface Appearance {
  /** Empty where none is chosen. */
  readonly locale: string
  /** IANA name; null where none is chosen. */
  readonly timeZone: string | null
  readonly look: Look
}

/** The appearance that a user chose; null for an unknown account. One statement. */
export function findAppearance(ctx: Ctx, accountId: AccountId): Query<Appearance | null> {
  const { locale, timeZone, settings } = users
  const found = first(
    ctx.db.select({ locale, timeZone, settings }).from(users).where(eq(users.accountId, accountId)),
  )
  return map(found, (row) => {
    if (row === null) return null
    return { locale: row.locale, timeZone: row.timeZone, look: lookOf(row.settings) }
  })
}

/** Choices on the page of appearance, as its form sends them: empty where the browser or the device decides. */
export interface AppearanceChoice {
  readonly locale: string
  readonly timeZone: string
  readonly theme: string
  readonly palette: string
  readonly contrast: string
  readonly textSize: string
}

/**
 * Saves look, language and time zone of a user; other settings stay as they are. `Invalid` by field for what is not
 * offered, a language without pages, and a time zone that does not exist.
 */
export async function saveAppearance(
  ctx: Ctx,
  accountId: AccountId,
  choice: AppearanceChoice,
): Promise<void> {
  const { locale, timeZone } = choice
  const language = locale === '' ? '' : pageLanguageOf(locale)
  if (language === null) throw new InvalidFields([problem('not_in_list', { field: 'locale' })])
  if (timeZone !== '' && !isTimeZone(timeZone))
    throw new InvalidFields([problem('not_in_list', { field: 'time_zone' })])
  const look = {
    theme: oneOf(themes, 'theme', choice.theme),
    palette: oneOf(palettes, 'palette', choice.palette),
    contrast: oneOf(contrasts, 'contrast', choice.contrast),
    textSize: oneOf(textSizes, 'text_size', choice.textSize),
  }
  const chosen = {
    locale: language,
    timeZone: timeZone === '' ? null : timeZone,
    settings: withSettings(look),
  }
  await commit(ctx, new Changes().add(ctx.db.update(users).set(chosen).where(eq(users.accountId, accountId))))
}

/** Saves the theme or the colours alone; null for those of the device and of the server. */
export async function saveLook(
  ctx: Ctx,
  accountId: AccountId,
  choice: Partial<Pick<Look, 'theme' | 'palette'>>,
): Promise<void> {
  const settings = withSettings(choice)
  await commit(
    ctx,
    new Changes().add(ctx.db.update(users).set({ settings }).where(eq(users.accountId, accountId))),
  )
}

function oneOf<T extends string>(values: readonly T[], field: string, value: string): T | null {
  const found = values.find((one) => one === value) ?? null
  if (found === null && value !== '') throw new InvalidFields([problem('not_in_list', { field })])
  return found
}

/**
 * Settings of a user with some of them replaced; null deletes one. Merged in the database, so that others changed meanwhile are
 * not lost.
 */
function withSettings(replaced: { readonly [K in keyof UserSettings]: UserSettings[K] | null }): SQL {
  return sql`json_patch(${users.settings}, ${JSON.stringify(replaced)})`
}

/** The settings of the viewer; empty where the account is gone. One statement. */
function settingsOf(ctx: Ctx, viewer: ViewerRef): Query<UserSettings> {
  const found = ctx.db
    .select({ settings: users.settings })
    .from(users)
    .where(sql`${users.accountId} = ${viewer.id}`)
  return map(first(found), (row) => row?.settings ?? {})
}

/** Choices of a user for the home page of the web client. */
export interface HomeChoices {
  /** Kinds of entries that it leaves out. */
  readonly without: readonly HomeKind[]
  /** Boosts of a short time are one strip. */
  readonly gathersBoosts: boolean
}

/** The viewer's choices for the home page. One statement. */
export function homeChoices(ctx: Ctx, viewer: ViewerRef): Query<HomeChoices> {
  return map(settingsOf(ctx, viewer), ({ homeWithout = [], gathersBoosts = true }) => ({
    without: homeWithout,
    gathersBoosts,
  }))
}

/** Saves the choices of a user for the home page; other settings stay as they are. */
export async function saveHomeChoices(
  ctx: Ctx,
  accountId: AccountId,
  { without: homeWithout, gathersBoosts }: HomeChoices,
): Promise<void> {
  const settings = withSettings({ homeWithout, gathersBoosts })
  await commit(
    ctx,
    new Changes().add(ctx.db.update(users).set({ settings }).where(eq(users.accountId, accountId))),
  )
}

/** The viewer's choices for catch-up. One statement. */
export function catchUpChoices(ctx: Ctx, viewer: ViewerRef): Query<CatchUpChoices> {
  return map(settingsOf(ctx, viewer), ({ catchUp }) => catchUp ?? { by: 'person', order: 'newest' })
}

/** Saves the choices of a user for catch-up; other settings stay as they are. */
export async function saveCatchUpChoices(
  ctx: Ctx,
  accountId: AccountId,
  catchUp: CatchUpChoices,
): Promise<void> {
  const settings = withSettings({ catchUp })
  await commit(
    ctx,
    new Changes().add(ctx.db.update(users).set({ settings }).where(eq(users.accountId, accountId))),
  )
}

/** Views that the viewer shows side by side; null where none were chosen. One statement. */
export function chosenColumns(ctx: Ctx, viewer: ViewerRef): Query<readonly string[] | null> {
  return map(settingsOf(ctx, viewer), ({ columns }) => columns ?? null)
}

/** Saves the views that a user shows side by side; other settings stay as they are. */
export async function saveColumns(ctx: Ctx, accountId: AccountId, columns: readonly string[]): Promise<void> {
  const settings = withSettings({ columns })
  await commit(
    ctx,
    new Changes().add(ctx.db.update(users).set({ settings }).where(eq(users.accountId, accountId))),
  )
}

/** Saves the notification email settings named in `mail`; others stay as they are. */
export async function saveMailSettings(ctx: Ctx, accountId: AccountId, mail: MailSettings): Promise<void> {
  const settings = withSettings({ mail })
  await commit(
    ctx,
    new Changes().add(ctx.db.update(users).set({ settings }).where(eq(users.accountId, accountId))),
  )
}

/** Unsubscribes a user from notification emails of a kind. */
export function stopMail(ctx: Ctx, accountId: AccountId, kind: MailKind): Promise<void> {
  return saveMailSettings(ctx, accountId, { [kind]: false })
}
