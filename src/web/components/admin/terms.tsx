import type { TermsDraft } from '../../../domain/instance/terms'
import { renderDocument } from '../../../lib/text/document'
import { message } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'
import type { PageView } from '../../member-pages/declaration'
import type { FoundTerms } from '../../pages/admin/load-terms'
import { paths } from '../../paths'
import type { FormPageProps } from '../../site'
import { Button } from '../button'
import { Command } from '../confirm'
import { Day } from '../day'
import { CheckboxField, TextAreaField, TextField } from '../field'
import { hasErrors, PostForm } from '../form'
import { FormPage } from '../form-page'
import { Prose } from '../prose'
import { Panel } from './panel'

const path = '/admin/terms'

export function TermsView({ page }: { readonly page: PageView<FoundTerms, string> }) {
  const t = useTranslation()
  const { found, csrfToken, errors, typed } = page
  const isRefused = hasErrors(errors)
  return (
    <Panel page={page} title={t('Terms of service')} current={path}>
      <p class="lead">
        {t('What members agree to. A new version comes into force on its day; the old ones stay readable.')}
      </p>
      <details class="card" open={isRefused || found.versions.length === 0}>
        <summary>
          <h2>{t('Write a version')}</h2>
        </summary>
        <PostForm action={`${path}/preview`} csrfToken={csrfToken}>
          <TextAreaField
            name="text"
            label={t('Text')}
            hint={t('Markdown. It begins with the text of the latest version.')}
            rows={16}
            maxlength={200_000}
            value={isRefused ? typed('text') : found.draftText}
          />
          <TextAreaField
            name="changelog"
            label={t('What changes')}
            hint={t('Markdown, for the notice to members.')}
            rows={4}
            maxlength={20_000}
            value={typed('changelog')}
            isOptional
          />
          <TextField
            name="effective_date"
            label={t('In force from')}
            hint={t('Today, if empty.')}
            type="date"
            value={typed('effective_date')}
            autocomplete="off"
            isOptional
          />
          <CheckboxField
            name="notify"
            label={t('Tell members about it, by mail too')}
            isChecked={typed('notify') === 'true'}
            isOptional
          />
          <Button>{t('Preview')}</Button>
        </PostForm>
      </details>
      {found.versions.length === 0 ? (
        <p class="muted">{t('There are no terms yet.')}</p>
      ) : (
        <ul class="entries card">
          {found.versions.map((version) => (
            <li>
              <Version version={version} csrfToken={csrfToken} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

const states: Readonly<Record<FoundTerms['versions'][number]['state'], string>> = {
  future: message('not in force yet'),
  current: message('in force'),
  past: message('superseded'),
}

interface VersionProps {
  readonly version: FoundTerms['versions'][number]
  readonly csrfToken: string
}

function Version({ version, csrfToken }: VersionProps) {
  const t = useTranslation()
  const { effectiveOn: day, publishedAt, characters, state, notice } = version
  return (
    <>
      <h2 class="entry-title">
        <a href={`${paths.terms}/${day}`}>
          <time datetime={day}>{day}</time>
        </a>{' '}
        <span class={state === 'current' ? 'badge badge-success' : 'badge'}>{t(states[state])}</span>
      </h2>
      <p class="muted">
        {t.rich('{characters, plural, one {# character} other {# characters}}, published <day></day>', {
          characters,
          day: () => <Day at={publishedAt} />,
        })}
      </p>
      {notice !== null && (
        <p class="muted">
          {t.rich('Members were told on <day></day>; {mails, plural, one {# mail} other {# mails}} so far.', {
            day: () => <Day at={notice.sentAt} />,
            mails: notice.mails,
          })}
        </p>
      )}
      <div class="actions">
        {state !== 'past' && notice === null && (
          <>
            <Command action={`${path}/sample`} csrfToken={csrfToken} hidden={{ day }} about={day}>
              {t('Mail the notice to me')}
            </Command>
            <Command action={`${path}/notify`} csrfToken={csrfToken} hidden={{ day }} about={day} asks>
              {t('Tell members')}
            </Command>
          </>
        )}
        {state === 'future' && (
          <Command action={`${path}/cancel`} csrfToken={csrfToken} hidden={{ day }} about={day} asks>
            {t('Delete')}
          </Command>
        )}
        <a href={`${path}?from=${day}`}>{t('Use its text')}</a>
      </div>
    </>
  )
}

export interface TermsPreviewProps extends FormPageProps {
  readonly draft: TermsDraft & { readonly notify: boolean }
  /** Another version of the same day exists, which this one replaces. */
  readonly replaces: boolean
}

/** A version as members will see it, and the button that publishes it. */
export function TermsPreview({ site, viewer, csrfToken, draft, replaces }: TermsPreviewProps) {
  const t = useTranslation()
  const { text, changelog, effectiveOn, notify } = draft
  return (
    <FormPage site={site} viewer={viewer} title={t('Preview of the terms')} errors={{}}>
      <p>{t('In force from {day}.', { day: effectiveOn })}</p>
      {replaces && <p class="field-error">{t('It takes the place of the version of the same day.')}</p>}
      <p>
        {notify ? t('Members are told, by mail too.') : t('Members are not told now; you can do that later.')}
      </p>
      <div class="quoted-document">
        <Prose html={renderDocument(text)} />
      </div>
      {changelog.trim() !== '' && (
        <>
          <h2>{t('What changes')}</h2>
          <Prose html={renderDocument(changelog)} />
        </>
      )}
      <PostForm
        action={path}
        csrfToken={csrfToken}
        hidden={{ text, changelog, effective_date: effectiveOn, notify: String(notify) }}
      >
        <Button look="danger">{t('Publish')}</Button>
      </PostForm>
      <p>
        <a href={path}>{t('Back without publishing')}</a>
      </p>
    </FormPage>
  )
}
