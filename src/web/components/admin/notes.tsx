import type { ModerationNote } from '../../../contract/entities/admin/account'
import { useTranslation } from '../../i18n/context'
import { Button } from '../button'
import { Day } from '../day'
import { TextAreaField } from '../field'
import { PostForm } from '../form'

export interface NotesProps {
  /** Path of the page, below which the forms are. */
  readonly path: string
  readonly csrfToken: string
  readonly notes: readonly ModerationNote[]
  readonly typed: string
}

/** Notes of moderators about an account or a report, and the form for another one. */
export function Notes({ path, csrfToken, notes, typed }: NotesProps) {
  const t = useTranslation()
  return (
    <section class="card" aria-labelledby="notes">
      <h2 id="notes">{t('admin.notes.notes')}</h2>
      <p class="muted">{t('admin.notes.onlyModeratorsSee')}</p>
      {notes.length > 0 && (
        <ul class="entries">
          {notes.map((note) => (
            <li>
              <p class="quoted">
                <bdi>{note.content}</bdi>
              </p>
              <p class="muted">
                <bdi>{note.username === '' ? t('admin.theOperator') : `@${note.username}`}</bdi> ·{' '}
                <Day at={new Date(note.created_at)} withTime />
              </p>
              <PostForm action={`${path}/notes/${note.id}/delete`} csrfToken={csrfToken} class="inline">
                <Button look="link">{t('admin.notes.deleteNote')}</Button>
              </PostForm>
            </li>
          ))}
        </ul>
      )}
      <PostForm action={`${path}/notes`} csrfToken={csrfToken}>
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
