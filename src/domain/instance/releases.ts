import { eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import { repositoryAddress, softwareVersion } from '../../contract/version'
import { first, map, type Query } from '../../db/query'
import { settings } from '../../db/schema'
import { Unreachable } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import { readBody } from '../../lib/outgoing'
import { compareVersions, newerMinor, parseVersion, type Version } from '../../lib/software-versions'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { settingKey } from './settings'

/** Days for which a minor version is supported after the next one was released: docs/operate/upgrade.md promises them. */
export const supportDays = 90

const key = 'task.check-releases'
/** Size of a page of thirty releases with long notes. */
const maxBytes = 1_048_576
const timeoutMilliseconds = 10_000
const mostReleases = 100

/** Entries of the release lists of GitHub, Forgejo, Gitea and GitLab. What is shown is built from version and time alone. */
const Listed = z.array(
  z.object({
    tag_name: z.string().max(100),
    published_at: z.iso.datetime({ offset: true }).nullish(),
    released_at: z.iso.datetime({ offset: true }).nullish(),
    draft: z.boolean().optional(),
    prerelease: z.boolean().optional(),
    upcoming_release: z.boolean().optional(),
  }),
)

const Known = z.object({
  /** Version that ran when the list was read. */
  running: z.string(),
  checkedAt: z.number(),
  newest: z.object({ version: z.string(), releasedAt: z.number() }).nullable(),
  /** Time of the first release of a later minor version. */
  outdatedSince: z.number().nullable(),
})
type Known = z.infer<typeof Known>

/** A newer release than the one that runs. */
export interface NewRelease {
  readonly version: string
  readonly releasedAt: Date
  /** Page of the repository that lists all releases. */
  readonly url: string
  /** Page of the workflow that brings the release into the operator's copy; null where none is known. */
  readonly updateUrl: string | null
  /** End of the support of the running version; null where only its own patches are newer. */
  readonly supportedUntil: Date | null
}

/** Address of the list of releases; null where the repository has no address on the web. */
export function releaseListOf(repository: string | null): string | null {
  if (repository === null) return null
  const { host, pathname, origin } = new URL(repository)
  const name = pathname.slice(1)
  if (host === 'github.com') return `https://api.github.com/repos/${name}/releases?per_page=30`
  if (host.startsWith('gitlab.'))
    return `${origin}/api/v4/projects/${encodeURIComponent(name)}/releases?per_page=30`
  return `${origin}/api/v1/repos/${name}/releases?limit=30`
}

/**
 * Page of `.github/workflows/update.yml` in the copy that a server was deployed from, by the address of its source. Null for the
 * repository itself, which has nothing to be updated from, and elsewhere than at GitHub.
 */
export function updateWorkflowOf(sourceUrl: string, repository: string | null): string | null {
  const copy = /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+/.exec(sourceUrl)?.[0]
  if (copy === undefined || copy.toLowerCase() === repository?.toLowerCase()) return null
  return `${copy}/actions/workflows/update.yml`
}

const notices = alias(settings, 'notices')
/** Condition: the operator did not turn notices off. */
const areNoticesOn = sql`coalesce((select ${notices.value} from ${settings} ${notices}
  where ${notices.key} = ${settingKey('releaseNotices')}), 'true') <> 'false'`

/** Condition: the operator wants to be told about releases, and the list was not read within a day. */
export function isReleaseCheckDue({ clock }: Ctx, repository = repositoryAddress): SQL {
  if (repository === null) return sql`0`
  return sql`${areNoticesOn} and not exists (select 1 from settings where key = ${key}
    and value ->> 'checkedAt' > ${clock.now().getTime() - dayMilliseconds}
    and value ->> 'running' = ${softwareVersion})`
}

/**
 * Cron: reads the list of releases of the repository, one request a day. An answer that cannot be read changes nothing but
 * the time of the next request.
 */
export async function checkReleases(ctx: Ctx, repository = repositoryAddress): Promise<void> {
  const url = releaseListOf(repository)
  if (url === null) return
  const now = ctx.clock.now()
  const found = await readReleases(ctx, url)
  const time = now.getTime()
  const checked: Known = { running: softwareVersion, checkedAt: time, ...(found ?? nothing) }
  const kept = sql`json_set(value, '$.checkedAt', ${time}, '$.running', ${softwareVersion}, '$.outdatedSince',
    case when value ->> 'running' = ${softwareVersion} then value ->> 'outdatedSince' end)`
  const value = found === null ? kept : checked
  await commit(
    ctx,
    new Changes().add(
      ctx.db
        .insert(settings)
        .values({ key, value: checked, updatedAt: now })
        .onConflictDoUpdate({ target: settings.key, set: { value, updatedAt: now } }),
    ),
  )
}

const nothing = { newest: null, outdatedSince: null }

/** Null where the list cannot be read. */
async function readReleases(ctx: Ctx, url: string): Promise<Pick<Known, 'newest' | 'outdatedSince'> | null> {
  try {
    const answer = await ctx.http.send({
      method: 'GET',
      url,
      redirects: 'follow',
      maxBytes,
      timeoutMilliseconds,
      headers: { accept: 'application/json' },
    })
    if (answer.status !== 200) {
      await answer.body?.cancel()
      return null
    }
    const text = new TextDecoder().decode(await readBody(answer, timeoutMilliseconds))
    return summaryOf(JSON.parse(text), ctx.clock.now())
  } catch (cause) {
    if (!(cause instanceof Unreachable || cause instanceof SyntaxError || cause instanceof z.ZodError))
      throw cause
    ctx.log.info('The list of releases cannot be read', { cause })
    return null
  }
}

function summaryOf(json: unknown, now: Date): Pick<Known, 'newest' | 'outdatedSince'> {
  const own = parseVersion(softwareVersion)
  const later = Listed.parse(json)
    .slice(0, mostReleases)
    .flatMap((entry) => releaseOf(entry, now))
    .filter(({ version }) => own !== null && compareVersions(version, own) > 0)
    .toSorted((one, other) => compareVersions(other.version, one.version))
  const [newest] = later
  const minors = later.filter(({ version }) => own !== null && newerMinor(version, own))
  return {
    newest:
      newest === undefined ? null : { version: newest.version.join('.'), releasedAt: newest.releasedAt },
    outdatedSince: minors.length === 0 ? null : Math.min(...minors.map(({ releasedAt }) => releasedAt)),
  }
}

/** Drafts, previews, other tags and times to come are no releases. */
function releaseOf(
  {
    tag_name,
    published_at,
    released_at,
    draft,
    prerelease,
    upcoming_release,
  }: z.infer<typeof Listed>[number],
  now: Date,
): readonly { readonly version: Version; readonly releasedAt: number }[] {
  const version = parseVersion(tag_name)
  const releasedAt = Date.parse(published_at ?? released_at ?? '')
  const isOut = draft !== true && prerelease !== true && upcoming_release !== true
  return version !== null && isOut && releasedAt <= now.getTime() ? [{ version, releasedAt }] : []
}

/** The newest release, where it is newer than the running version and the operator wants to be told. One statement. */
export function findNewRelease(ctx: Ctx, repository = repositoryAddress): Query<NewRelease | null> {
  const found = ctx.db
    .select({ value: settings.value })
    .from(settings)
    .where(sql`${eq(settings.key, key)} and ${areNoticesOn}`)
  return map(first(found), (row) => {
    const known = Known.safeParse(row?.value).data
    const [newest, own] = [parseVersion(known?.newest?.version ?? ''), parseVersion(softwareVersion)]
    if (known?.newest == null || repository === null || newest === null || own === null) return null
    if (compareVersions(newest, own) <= 0) return null
    const outdatedSince = known.running === softwareVersion ? known.outdatedSince : null
    return {
      version: known.newest.version,
      releasedAt: new Date(known.newest.releasedAt),
      url: `${repository}${new URL(repository).host.startsWith('gitlab.') ? '/-' : ''}/releases`,
      updateUrl: updateWorkflowOf(ctx.config.sourceUrl, repository),
      supportedUntil: outdatedSince === null ? null : new Date(outdatedSince + supportDays * dayMilliseconds),
    }
  })
}
