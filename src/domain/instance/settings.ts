import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Config, Plan } from '../../config'
import { first, lookupColumns, map, oneRow, type Query, rows } from '../../db/query'
import { settings } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import { addressProblem } from '../../lib/outgoing'
import type { Ctx } from '../../ports/ctx'

const File = z.union([
  z.object({ key: z.string(), still: z.string().exactOptional() }),
  z.object({ remote: z.string(), still: z.string().exactOptional() }),
])

const Line = (length: number) => z.string().trim().max(length)
const Text = z.string().max(100_000)
const Audience = z.enum(['all', 'users', 'nobody'])
const FeedAccess = z.enum(['public', 'authenticated', 'disabled'])

/** Settings that administrators change at run time. Every key is one row of `settings`. */
export const settingFields = {
  title: Line(200).min(1),
  /** Plain paragraph: the landing page, `description` of the instance document. */
  shortDescription: Line(2_000),
  /** Markdown of the about page. */
  extendedDescription: Text,
  registrations: z.enum(['open', 'approval', 'closed']),
  /** Whether open registrations need approval once no moderator was active for a week. */
  closeUnattended: z.boolean(),
  /** Whether browsers have to solve a proof-of-work challenge to sign up. */
  signUpChallenge: z.boolean(),
  /** Plain text shown on the sign-up page: why it is closed, or what to write as a reason. */
  registrationsMessage: Line(2_000).nullable(),
  /** Years; null disables the age check. */
  minimumAge: z.int().min(1).max(120).nullable(),
  /** Email domains, including their subdomains, that cannot be used to sign up. */
  blockedEmailDomains: z.array(Line(253).toLowerCase()).max(10_000),
  contactUsername: Line(30).nullable(),
  contactEmail: z.email().nullable(),
  thumbnail: File.nullable(),
  /** Thumbnail in twice the size. */
  thumbnailLarge: File.nullable(),
  thumbnailBlurhash: z.string().max(200).nullable(),
  thumbnailDescription: Line(1_500),
  /** Square logo, in the sizes that `logo-files.ts` names. */
  logo: File.nullable(),
  /** Colour of buttons and links; pages show it in shades that stand out enough. Null: chestnut. */
  accentColour: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[\da-f]{6}$/)
    .nullable(),
  /** Style sheet over the tokens of the pages (`src/lib/token-sheet.ts`). */
  styleSheet: Line(8_192).nullable(),
  /** Style sheet with rules of its own over those of the pages (`src/lib/css-rules.ts`). */
  customCss: Line(32_768).nullable(),
  /** Markdown of the front page, in the place of the short description; null for that. */
  frontPage: Text.nullable(),
  /** Markdown; null shows Fieldfare's own policy. */
  privacyPolicy: Text.nullable(),
  /** Markdown; null means there are no terms. */
  termsOfService: Text.nullable(),
  statusUrl: z.url({ protocol: /^https?$/ }).nullable(),
  /** Page that members get at the address of the server, and after sign-in; visitors always get the landing page. */
  membersStart: z.enum(['home', 'landing', 'client']),
  /** Web client that the operator recommends. In its address `{host}` stands for the host of this server. */
  clientName: Line(60).min(1).nullable(),
  clientUrl: Line(500)
    .refine((url) => /^https:\/\//.test(url) && URL.canParse(url.replaceAll('{host}', 'host.example')))
    .nullable(),
  languages: z
    .array(z.string().regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/))
    .min(1)
    .max(50),
  /** Whether the API lists the servers this one has met. */
  peersApi: z.boolean(),
  /** Whether the API shows the activity counts of this server. */
  activityApi: z.boolean(),
  /** Audience of the list of limited servers, and of the reasons. */
  domainBlocksShownTo: Audience,
  domainBlockReasonsShownTo: Audience,
  /** Access to the public timelines: everyone, signed-in users, or only roles with the permission for feeds. */
  localFeedAccess: FeedAccess,
  remoteFeedAccess: FeedAccess,
  /** Access to hashtag timelines. Accounts may always be found by hashtags. */
  localTagAccess: z.enum(['public', 'authenticated']),
  remoteTagAccess: FeedAccess,
  /** Whether trends are shown. */
  trends: z.boolean(),
  /** Whether unreviewed items may trend. */
  trendableByDefault: z.boolean(),
  /** Accounts that have to link to a page on one day before it trends. */
  trendMinimumAccounts: z.int().min(2).max(200),
  /** Accounts that have to use a hashtag on one day before it trends; null: what fits the number of active members. */
  trendMinimumTagAccounts: z.int().min(2).max(200).nullable(),
  /** Favourites and reblogs that a status needs to trend; null: what fits the number of active members. */
  trendMinimumInteractions: z.int().min(2).max(200).nullable(),
  /** Whether there is a directory of discoverable accounts. */
  profileDirectory: z.boolean(),
  /** Whether `robots.txt` lets search engines read pages. Accounts decide about their own besides. */
  searchEngines: z.boolean(),
  /** Whether `robots.txt` lets crawlers read pages that collect texts to train models on. */
  aiCrawlers: z.boolean(),
  /** Whether mentions by remote accounts that no member follows become notification requests. */
  quarantineMentions: z.boolean(),
  /** Accounts recommended to every user, as `name` or `name@host`. */
  featuredAccounts: z.array(Line(300)).max(40),
  /** Whether remote statuses and accounts are deleted above the budget, and old rows by their age. */
  pruning: z.boolean(),
  /** Budget for the database in megabytes; null: what fits the plan. */
  databaseMegabytes: z.int().min(50).max(9_500).nullable(),
  /** Days for which remote statuses stay, and those by accounts that a local account follows. */
  keepRemoteStatusDays: z.int().min(1).max(3_650),
  keepFollowedStatusDays: z.int().min(1).max(3_650),
  /** Days for which a remote account stays after it was fetched. */
  keepRemoteAccountDays: z.int().min(1).max(3_650),
  /** Days for which rows stay, whatever the size of the database. */
  keepNotificationDays: z.int().min(7).max(36_500),
  keepTombstoneDays: z.int().min(30).max(36_500),
  keepSeveredFollowDays: z.int().min(7).max(36_500),
  keepSignUpAddressDays: z.int().min(1).max(36_500),
  /** Address that alerts about what fails are posted to. */
  alertsWebhook: z
    .url({ protocol: /^https$/ })
    .max(2_000)
    .refine((url) => addressProblem(url, { testHosts: [], ownHosts: [] }) === null)
    .nullable(),
  /** Whether owners are mailed about what fails. */
  alertsEmail: z.boolean(),
  /** Plan of Cloudflare, in place of the variable PLAN; null for that. */
  plan: z.enum(['free', 'paid']).nullable(),
  /** Whether the repository is asked once a day for newer releases. */
  releaseNotices: z.boolean(),
  /** Whether the database is backed up into the bucket on schedule. */
  backups: z.boolean(),
  /** Days between two backups; null: what fits the plan. */
  backupDays: z.int().min(1).max(90).nullable(),
  /** Complete backups that are kept. */
  keepBackups: z.int().min(1).max(100),
}

const Patch = z.strictObject(settingFields).partial()
const Stored = z.object(settingFields)

export type InstanceSettings = Readonly<z.infer<typeof Stored>>
export type SettingName = keyof InstanceSettings
/** Partial settings; an absent key keeps its value. */
export const SettingsPatch = Patch
export type SettingsPatch = z.input<typeof Patch>

export const defaultSettings: InstanceSettings = {
  title: 'Fieldfare',
  shortDescription: '',
  extendedDescription: '',
  registrations: 'open',
  closeUnattended: true,
  signUpChallenge: false,
  registrationsMessage: null,
  minimumAge: null,
  blockedEmailDomains: [],
  contactUsername: null,
  contactEmail: null,
  thumbnail: null,
  thumbnailLarge: null,
  thumbnailBlurhash: null,
  thumbnailDescription: '',
  logo: null,
  accentColour: null,
  styleSheet: null,
  customCss: null,
  frontPage: null,
  privacyPolicy: null,
  termsOfService: null,
  statusUrl: null,
  membersStart: 'home',
  clientName: null,
  clientUrl: null,
  languages: ['en'],
  peersApi: true,
  activityApi: true,
  domainBlocksShownTo: 'nobody',
  domainBlockReasonsShownTo: 'nobody',
  localFeedAccess: 'public',
  remoteFeedAccess: 'public',
  localTagAccess: 'public',
  remoteTagAccess: 'public',
  trends: true,
  trendableByDefault: false,
  trendMinimumAccounts: 15,
  trendMinimumTagAccounts: null,
  trendMinimumInteractions: null,
  profileDirectory: true,
  searchEngines: true,
  aiCrawlers: false,
  quarantineMentions: false,
  featuredAccounts: [],
  pruning: true,
  databaseMegabytes: null,
  keepRemoteStatusDays: 7,
  keepFollowedStatusDays: 30,
  keepRemoteAccountDays: 30,
  keepNotificationDays: 365,
  keepTombstoneDays: 365,
  keepSeveredFollowDays: 365,
  keepSignUpAddressDays: 90,
  alertsWebhook: null,
  alertsEmail: false,
  plan: null,
  releaseNotices: true,
  backups: true,
  backupDays: null,
  keepBackups: 4,
}

/** Rows without this prefix (keys of the server) are never read or written here. */
const prefix = 'instance.'

/** Last change of each setting; a key never saved is absent. */
export type SettingTimes = ReadonlyMap<string, Date>

/** Loads all settings, defaults where nothing was saved. */
export function loadSettings(ctx: Ctx): Query<InstanceSettings> {
  return map(loadSettingsWithTimes(ctx), (loaded) => loaded.settings)
}

/** Settings with the times of their last changes. */
export interface LoadedSettings {
  readonly settings: InstanceSettings
  readonly changedAt: SettingTimes
}

/** Loads all settings with the times of the last changes, which the documents about terms and privacy show. */
export function loadSettingsWithTimes(ctx: Ctx): Query<LoadedSettings> {
  const found = ctx.db
    .select()
    .from(settings)
    .where(sql`${settings.key} >= ${prefix} and ${settings.key} < 'instance/'`)
  return map(rows(found), (list) => {
    const saved = list.map((row) => [row.key.slice(prefix.length), row.value])
    return {
      settings: Stored.parse({ ...defaultSettings, ...Object.fromEntries(saved) }),
      changedAt: new Map(list.map((row) => [row.key.slice(prefix.length), row.updatedAt])),
    }
  })
}

/** Loads only these settings, for pages and documents that need few: some settings are long. */
export function pickSettings<K extends keyof InstanceSettings>(
  ctx: Ctx,
  keys: readonly K[],
): Query<Pick<InstanceSettings, K>> {
  const { key, value } = settings
  const found = ctx.db.select(lookupColumns(keys, { key, value, prefix })).from(oneRow)
  return map(first(found), (row) => parsed(row ?? {}))
}

/** Settings of a row in which null stands for those never saved. */
function parsed(row: Readonly<Record<string, unknown>>): InstanceSettings {
  const saved = Object.entries(row).filter(([, setting]) => setting !== null)
  return Stored.parse({ ...defaultSettings, ...Object.fromEntries(saved) })
}

/** Settings that a page shows, and when the CSS of the operator was saved: milliseconds; null where there is none. */
export type PageSettings<K extends SettingName> = Pick<InstanceSettings, K> & {
  readonly cssSavedAt: number | null
}

/** `pickSettings` for a page. It does not load the CSS, which may be long. */
export function pickPageSettings<K extends SettingName>(
  ctx: Ctx,
  keys: readonly K[],
): Query<PageSettings<K>> {
  const { key, value } = settings
  const savedAt = sql<number | null>`(select ${settings.updatedAt} from ${settings}
    where ${key} = ${settingKey('customCss')} and ${value} <> 'null')`
  const columns = { ...lookupColumns(keys, { key, value, prefix }), cssSavedAt: savedAt.as('css_saved_at') }
  return map(first(ctx.db.select(columns).from(oneRow)), (row) => {
    const found: Readonly<Record<string, unknown>> = row ?? {}
    const { cssSavedAt } = found
    return { ...parsed(found), cssSavedAt: typeof cssSavedAt === 'number' ? cssSavedAt : null }
  })
}

/** The plan that counts: an administrator's choice, else the variable. */
export function planOf({ config }: Pick<Ctx, 'config'>, { plan }: Pick<InstanceSettings, 'plan'>): Plan {
  return plan ?? config.plan
}

/** Loads the plan that counts. */
export function loadPlan(ctx: Ctx): Query<Plan> {
  return map(pickSettings(ctx, ['plan']), (chosen) => planOf(ctx, chosen))
}

/** Key of the row that holds a setting, for statements that also read one. */
export function settingKey(name: SettingName): string {
  return prefix + name
}

/** Days between two backups: a backup of a full database of the free plan takes a third of the queue operations of a day. */
const daysBetween: Readonly<Record<Plan, number>> = { free: 7, paid: 1 }

const settingOf = (name: 'backups' | 'backupDays' | 'plan') =>
  sql`(select nullif(${settings.value}, 'null') from ${settings} where ${settings.key} = ${settingKey(name)})`

/** Condition: the operator wants backups. */
export const areBackupsOn = sql`coalesce(${settingOf('backups')}, 'true') <> 'false'`

/** The plan that an administrator chose, for statements; null where the variable counts. */
export const chosenPlan = sql<Plan | null>`${settingOf('plan')} ->> '$'`

/** Milliseconds between two backups. */
export function backupInterval({ plan }: Pick<Config, 'plan'>): SQL {
  const usual = sql`case coalesce(${chosenPlan}, ${plan}) when 'paid' then ${daysBetween.paid} else ${daysBetween.free} end`
  return sql`coalesce(cast(${settingOf('backupDays')} as integer), ${usual}) * ${dayMilliseconds}`
}

/**
 * Condition: backups are wanted, and the latest complete one, or the first account, is older than two intervals. Failed
 * backups do not count. A few rows.
 */
export function isBackupOverdue({ clock, config }: Ctx): SQL {
  const latest = sql`(select finished_at from backups where state = 'complete' order by id desc limit 1)`
  const founded = sql`(select created_at from users order by account_id limit 1)`
  return sql`${areBackupsOn}
    and coalesce(${latest}, ${founded}) + 2 * ${backupInterval(config)} <= ${clock.now().getTime()}`
}
