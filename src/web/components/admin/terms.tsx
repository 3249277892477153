import type { TermsDraft } from '../../../domain/instance/terms'
import { renderDocument } from '../../../lib/text/document'
import type { TextKey } from '../../../lib/translate'
import { hasErrors } from '../../form-errors'
import { useTranslation } from '../../i18n/context'
import type { PageView } from '../../member-pages/declaration'
import { usePage } from '../../page-context'
import type { FoundTerms } from '../../pages/admin/load-terms'
import { paths } from '../../paths'
import { Button } from '../button'
import { Command } from '../confirm'
import { Day } from '../day'
import { CheckboxField, TextAreaField, TextField } from '../field'
import { PostForm } from '../form'
import { FormPage } from '../form-page'
import { Prose } from '../prose'
import { Panel } from './panel'

const path = '/admin/terms'

export function TermsView({ page }: { readonly page: PageView<FoundTerms> }) {
  const t = useTranslation()
  const { errors } = usePage()
  const { found, typed } = page
  const isRefused = hasErrors(errors)
  return (
    <Panel title={t('common.termsOfService')} current={path}>
      <p class="quiet">{t('admin.terms.whatMembersAgreeNew')}</p>
      <details class="block" open={isRefused || found.versions.length === 0}>
        <summary>
          <h2>{t('admin.terms.writeAVersion')}</h2>
        </summary>
        <PostForm action={`${path}/preview`}>
          <TextAreaField
            name="text"
            label={t('field.text')}
            hint={t('admin.terms.text.hint')}
            rows={16}
            maxlength={200_000}
            value={isRefused ? typed('text') : found.draftText}
          />
          <TextAreaField
            name="changelog"
            label={t('admin.terms.whatChanges')}
            hint={t('admin.terms.whatChanges.hint')}
            rows={4}
            maxlength={20_000}
            value={typed('changelog')}
            isOptional
          />
          <TextField
            name="effective_date"
            label={t('field.inForceFrom')}
            hint={t('admin.terms.inForceFrom.hint')}
            type="date"
            value={typed('effective_date')}
            autocomplete="off"
            isOptional
          />
          <CheckboxField
            name="notify"
            label={t('admin.terms.tellMembersAboutBy')}
            isChecked={typed('notify') === 'true'}
            isOptional
          />
          <Button>{t('admin.terms.preview')}</Button>
        </PostForm>
      </details>
      {found.versions.length === 0 ? (
        <p class="quiet small">{t('admin.terms.thereNoTermsYet')}</p>
      ) : (
        <ul class="entries block">
          {found.versions.map((version) => (
            <li>
              <Version version={version} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

const states: Readonly<Record<FoundTerms['versions'][number]['state'], TextKey>> = {
  future: 'admin.terms.notForceYet',
  current: 'admin.terms.inForce',
  past: 'admin.terms.superseded',
}

interface VersionProps {
  readonly version: FoundTerms['versions'][number]
}

function Version({ version }: VersionProps) {
  const t = useTranslation()
  const { effectiveOn: day, publishedAt, characters, state, notice } = version
  return (
    <>
      <h2 class="entry-title">
        <a href={`${paths.terms}/${day}`}>
          <time datetime={day}>{day}</time>
        </a>{' '}
        <span class={state === 'current' ? 'tag ok' : 'tag'}>{t(states[state])}</span>
      </h2>
      <p class="quiet small">
        {t.rich('admin.terms.charactersPublished', {
          characters,
          day: () => <Day at={publishedAt} />,
        })}
      </p>
      {notice !== null && (
        <p class="quiet small">
          {t.rich('admin.terms.membersToldMailsFar', {
            day: () => <Day at={notice.sentAt} />,
            mails: notice.mails,
          })}
        </p>
      )}
      <div class="actions">
        {state !== 'past' && notice === null && (
          <>
            <Command action={`${path}/sample`} hidden={{ day }} about={day}>
              {t('admin.terms.mailNoticeMe')}
            </Command>
            <Command action={`${path}/notify`} hidden={{ day }} about={day} asks>
              {t('admin.terms.tellMembers')}
            </Command>
          </>
        )}
        {state === 'future' && (
          <Command action={`${path}/cancel`} hidden={{ day }} about={day} asks>
            {t('admin.delete')}
          </Command>
        )}
        <a href={`${path}?from=${day}`}>{t('admin.terms.useItsText')}</a>
      </div>
    </>
  )
}

export interface TermsPreviewProps {
  readonly draft: TermsDraft & { readonly notify: boolean }
  /** Another version of the same day exists, which this one replaces. */
  readonly replaces: boolean
}

/** A version as members will see it, and the button that publishes it. */
export function TermsPreview({ draft, replaces }: TermsPreviewProps) {
  const t = useTranslation()
  const { text, changelog, effectiveOn, notify } = draft
  return (
    <FormPage title={t('admin.terms.previewTerms')}>
      <p>{t('admin.terms.forceFromDay', { day: effectiveOn })}</p>
      {replaces && <p class="error">{t('admin.terms.takesPlaceVersionSame')}</p>}
      <p>{notify ? t('admin.terms.membersToldByMail') : t('admin.terms.membersNotToldNow')}</p>
      <div class="quoted-document">
        <Prose html={renderDocument(text)} />
      </div>
      {changelog.trim() !== '' && (
        <>
          <h2>{t('admin.terms.whatChanges')}</h2>
          <Prose html={renderDocument(changelog)} />
        </>
      )}
      <PostForm
        action={path}
        hidden={{ text, changelog, effective_date: effectiveOn, notify: String(notify) }}
      >
        <Button look="danger">{t('common.publish')}</Button>
      </PostForm>
      <p>
        <a href={path}>{t('admin.terms.backWithoutPublishing')}</a>
      </p>
    </FormPage>
  )
}
