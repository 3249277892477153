import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/query'
import { type InstanceSettings, type SettingTimes, settingKey } from './settings'

/** Markdown text of a page; `updatedAt` is null when it was never written. */
export interface InstanceText {
  readonly markdown: string
  readonly updatedAt: Date | null
}

export function aboutText(settings: InstanceSettings, changedAt: SettingTimes): InstanceText {
  return {
    markdown: settings.extendedDescription,
    updatedAt: changedAt.get('extendedDescription') ?? null,
  }
}

/** Last change of `ownPolicy` in substance. */
const ownPolicyWrittenAt = new Date('2026-11-21T00:00:00Z')

/** The operator's privacy policy, or else the built-in one. */
export function privacyText(
  settings: InstanceSettings,
  changedAt: SettingTimes,
): InstanceText & { readonly updatedAt: Date } {
  const { privacyPolicy } = settings
  if (privacyPolicy === null) return { markdown: ownPolicy, updatedAt: ownPolicyWrittenAt }
  return { markdown: privacyPolicy, updatedAt: changedAt.get('privacyPolicy') ?? ownPolicyWrittenAt }
}

const ownPolicy = `
The operator of this server has not written a privacy policy of their own. This is what the software keeps.

# What you give

- **Your account**: username, e-mail address, a hash of your password (never the password), the language you chose,
  and the address (IP) you signed up from.
- **Your profile**: whatever you write or upload there. It is public.
- **What you post**: text, pictures, recordings, polls and votes, with the time. Public and unlisted statuses can be
  read by anybody. Statuses for followers and direct ones go to those they are meant for, and to the servers of
  those people, which handle them by rules of their own. The operator of a server can read what is stored on it:
  do not send secrets.
- **What you do**: whom you follow, block and mute; what you favourite, bookmark and share; private notes about others.

# What is kept besides

- **Sessions and apps**: for each browser you sign in with, its name and address (IP), and when it was last used; for
  each app, what you allowed it and when it was last used. You can end both in your account settings.
- **Activity**: the day you were last active, and how many people were active in a week.

# Cookies

One cookie keeps you signed in, one protects the forms. There are no others, and nobody is told about your visit.

# What goes to other servers

Your profile and statuses are sent to servers that follow or are addressed, or fetched by them. When you delete
something, they are asked to delete it too; nobody can make them.

# How long

While your account exists, or until you delete something yourself. Uploads that you put into no status go after a
day.
`

/** Contact account named in the settings, as rows (id, cursor): none when that account does not exist. */
export function contactSelection(): SQL {
  return sql`select a.id as id, a.id as cursor
    from settings chosen cross join accounts a
    where chosen.key = ${settingKey('contactUsername')}
      and lower(a.username) = lower(chosen.value ->> '$') and coalesce(a.domain, '') = ''`
}

const mostStaff = 30
/** Candidates examined, so that a badge that many wear costs no more. */
const mostCandidates = 60

/**
 * Accounts whose role has permissions and is shown as a badge, as rows (id, cursor): higher roles first, then older accounts.
 * Leaves out disabled, suspended, limited and moved accounts.
 */
export function staffSelection(): SQL {
  return sql`select a.id as id, row_number() over (order by team.position, a.id desc) as cursor
    from (select u.account_id, r.position
      from (select id, position from roles where highlighted = 1 and permissions <> 0 order by position desc) r
      cross join users u on u.role_id = r.id
      where u.disabled_at is null ${limitTo(mostCandidates)}) team
    cross join accounts a on a.id = team.account_id
    where a.suspended_at is null and a.silenced_at is null and a.moved_to_account_id is null
    order by cursor desc ${limitTo(mostStaff)}`
}
