import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { first, map, type Query, rows } from '../../db/query'
import { settings } from '../../db/schema'
import { jsonRows, lookupColumns, oneRow } from '../../db/sql'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { publishTerms } from './terms'

const File = z.union([
  z.object({ key: z.string(), still: z.string().exactOptional() }),
  z.object({ remote: z.string(), still: z.string().exactOptional() }),
])

const Line = (length: number) => z.string().trim().max(length)
const Text = z.string().max(100_000)
const Audience = z.enum(['all', 'users', 'nobody'])
const FeedAccess = z.enum(['public', 'authenticated', 'disabled'])

/** What the people who run the instance decide while it runs. Every key is one row of `settings`. */
const fields = {
  title: Line(200).min(1),
  /** One plain paragraph: the landing page, `description` of the instance document. */
  shortDescription: Line(2_000),
  /** Markdown of the about page. */
  extendedDescription: Text,
  registrations: z.enum(['open', 'approval', 'closed']),
  /** Plain text shown where people would sign up: why it is closed, or what to write as a reason. */
  registrationsMessage: Line(2_000).nullable(),
  /** Years; null asks nobody for a date of birth. */
  minimumAge: z.int().min(1).max(120).nullable(),
  /** Mail from these domains and their subdomains opens no account. */
  blockedEmailDomains: z.array(Line(253).toLowerCase()).max(10_000),
  contactUsername: Line(30).nullable(),
  contactEmail: z.email().nullable(),
  thumbnail: File.nullable(),
  thumbnailBlurhash: z.string().nullable(),
  thumbnailDescription: Line(1_500),
  /** Markdown; null shows what Fieldfare stores by itself. */
  privacyPolicy: Text.nullable(),
  /** Markdown; null means there are no terms. */
  termsOfService: Text.nullable(),
  statusUrl: z.url({ protocol: /^https?$/ }).nullable(),
  languages: z
    .array(z.string().regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/))
    .min(1)
    .max(50),
  /** Does the API list the servers this one has met? */
  peersApi: z.boolean(),
  /** Does the API tell how busy this server is? */
  activityApi: z.boolean(),
  /** Who sees which servers are limited, and who sees why. */
  domainBlocksShownTo: Audience,
  domainBlockReasonsShownTo: Audience,
  /** Who reads the public timelines: all, who is signed in, or only roles with the permission for feeds. */
  localFeedAccess: FeedAccess,
  remoteFeedAccess: FeedAccess,
  /** The same for timelines of hashtags. People may always be found by them. */
  localTagAccess: z.enum(['public', 'authenticated']),
  remoteTagAccess: FeedAccess,
  /** Are there trends? */
  trends: z.boolean(),
  /** May things trend that no moderator has looked at? */
  trendableByDefault: z.boolean(),
  /** Is there a directory of those who want to be found? */
  profileDirectory: z.boolean(),
  /** Whom everybody is advised to follow, as `name` or `name@host`. */
  featuredAccounts: z.array(Line(300)).max(40),
}

const Patch = z.strictObject(fields).partial()
const Stored = z.object(fields)

export type InstanceSettings = Readonly<z.infer<typeof Stored>>
/** Some of the settings; an absent key keeps its value. */
export const SettingsPatch = Patch
export type SettingsPatch = z.input<typeof Patch>

export const defaultSettings: InstanceSettings = {
  title: 'Fieldfare',
  shortDescription: '',
  extendedDescription: '',
  registrations: 'open',
  registrationsMessage: null,
  minimumAge: null,
  blockedEmailDomains: [],
  contactUsername: null,
  contactEmail: null,
  thumbnail: null,
  thumbnailBlurhash: null,
  thumbnailDescription: '',
  privacyPolicy: null,
  termsOfService: null,
  statusUrl: null,
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
  profileDirectory: true,
  featuredAccounts: [],
}

/** Other rows of the table (keys of the server) never pass through here. */
const prefix = 'instance.'

/** When each setting was last changed; a key never saved is absent. */
export type SettingTimes = ReadonlyMap<string, Date>

/** All settings, defaults where nothing was saved. */
export function loadSettings(ctx: Ctx): Query<InstanceSettings> {
  return map(loadSettingsWithTimes(ctx), (loaded) => loaded.settings)
}

/** The same with the times of the last changes, which the documents about terms and privacy show. */
export function loadSettingsWithTimes(
  ctx: Ctx,
): Query<{ readonly settings: InstanceSettings; readonly changedAt: SettingTimes }> {
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

/** Only these settings, for pages and documents that need few: some settings are long. */
export function pickSettings<K extends keyof InstanceSettings>(
  ctx: Ctx,
  keys: readonly K[],
): Query<Pick<InstanceSettings, K>> {
  const { key, value } = settings
  const found = ctx.db.select(lookupColumns(keys, { key, value, prefix })).from(oneRow)
  return map(first(found), (row) => {
    const saved = Object.entries(row ?? {}).filter(([, setting]) => setting !== null)
    return Stored.parse({ ...defaultSettings, ...Object.fromEntries(saved) })
  })
}

/** The key of the row that holds a setting, for statements that read one in passing. */
export function settingKey(name: keyof InstanceSettings): string {
  return prefix + name
}

const feedSettings = ['localFeedAccess', 'remoteFeedAccess', 'localTagAccess', 'remoteTagAccess'] as const

/**
 * Saves what `patch` names, terms of service as a version of their own; throws zod's error for a value the setting
 * cannot take. Tells `feeds.changed`.
 */
export async function saveSettings(ctx: Ctx, patch: SettingsPatch): Promise<void> {
  const entries = Object.entries(Patch.parse(patch)).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return
  const list = entries.map(([key, value]) => ({ key: `${prefix}${key}`, value: JSON.stringify(value) }))
  const save = sql`insert into ${settings} (key, value, updated_at)
    select item.value ->> 'key', item.value ->> 'value', ${ctx.clock.now().getTime()} from ${jsonRows(list)}
    where true
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`
  const changes = new Changes().add(ctx.db.run(save))
  if (feedSettings.some((name) => patch[name] !== undefined)) changes.publish({ kind: 'feeds.changed' })
  if (typeof patch.termsOfService === 'string') changes.add(publishTerms(ctx, patch.termsOfService))
  await commit(ctx, changes)
}
