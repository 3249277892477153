import type { AdminAccount, ModerationNote } from '../../../contract/entities/admin/account'
import { hasPermission } from '../../../domain/policy/permissions'
import type { WebSession } from '../../../domain/sessions/web-session'
import type { TextKey } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'
import { limitPath, moderatedAccountPath } from '../../paths'
import { Button } from '../button'
import { Day } from '../day'
import { TextAreaField } from '../field'
import { PostForm } from '../form'

export interface NotesProps {
  /** Path of the page, below which the forms are. */
  readonly path: string
  readonly notes: readonly ModerationNote[]
  readonly typed: string
}

/** Notes of moderators about an account or a report, and the form for another one. */
export function Notes({ path, notes, typed }: NotesProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="notes">
      <h2 id="notes">{t('admin.notes.notes')}</h2>
      <p class="quiet small">{t('admin.notes.onlyModeratorsSee')}</p>
      {notes.length > 0 && (
        <ul class="entries">
          {notes.map((note) => (
            <li>
              <p class="quoted">
                <bdi>{note.content}</bdi>
              </p>
              <p class="quiet small">
                <bdi>{note.username === '' ? t('admin.theOperator') : `@${note.username}`}</bdi> ·{' '}
                <Day at={new Date(note.created_at)} withTime />
              </p>
              <PostForm action={`${path}/notes/${note.id}/delete`} class="inline">
                <Button look="link">{t('admin.notes.deleteNote')}</Button>
              </PostForm>
            </li>
          ))}
        </ul>
      )}
      <PostForm action={`${path}/notes`}>
        <TextAreaField
          name="note"
          label={t('admin.notes.newNote')}
          rows={3}
          maxlength={2_000}
          value={typed}
        />
        <Button look="secondary">{t('admin.notes.addNote')}</Button>
      </PostForm>
    </section>
  )
}

/** Restrictions of an account, as texts. */
export function statesOf(account: AdminAccount): readonly TextKey[] {
  const states: readonly (readonly [boolean, TextKey])[] = [
    [account.suspended, 'common.suspended'],
    [account.disabled === true, 'admin.disabled'],
    [account.silenced, 'common.limited'],
    [account.sensitized, 'admin.accounts.mediaSensitive2'],
    [account.confirmed === false, 'common.notConfirmed'],
    [account.approved === false, 'admin.accounts.waitsForApproval'],
  ]
  return states.flatMap(([applies, text]) => (applies ? [text] : []))
}

/** `@name` of a local account, `@name@domain` of a remote one. */
export function handleOf({ username, domain }: Pick<AdminAccount, 'username' | 'domain'>): string {
  return domain === null ? `@${username}` : `@${username}@${domain}`
}

interface AccountLineProps {
  readonly account: AdminAccount
  /** False where they stand elsewhere. */
  readonly hasStates?: boolean
}

/** An account with its states, linked to its administration page. */
export function AccountLine({ account, hasStates = true }: AccountLineProps) {
  const t = useTranslation()
  const { display_name: name, avatar_static: avatar } = account.account
  return (
    <span class="account-line">
      <img class="avatar s" src={avatar} alt="" width="32" height="32" />
      <span class="names">
        <a href={moderatedAccountPath(account.id)}>
          <bdi>{name === '' ? account.username : name}</bdi>
        </a>
        <span class="quiet small">
          <bdi>{handleOf(account)}</bdi>
        </span>
      </span>
      {hasStates && statesOf(account).map((state) => <span class="tag warn">{t(state)}</span>)}
    </span>
  )
}

export interface LimitLinkProps {
  /** Null for accounts of this server, which has no limit. */
  readonly domain: string | null
  readonly session: Pick<WebSession, 'permissions'>
}

/** Link from an account to the form for a limit on its server, for staff with the permission. */
export function LimitLink({ domain, session }: LimitLinkProps) {
  const t = useTranslation()
  if (domain === null || !hasPermission(session.permissions, 'manageFederation')) return null
  return (
    <p>
      <a href={limitPath(domain)}>{t('admin.server.limitServerDomain', { domain })}</a>
    </p>
  )
}
