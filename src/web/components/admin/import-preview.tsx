import type { ImportPreview } from '../../../domain/moderation/blocklists/import-file'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { Button } from '../button'
import { CheckboxField } from '../field'
import { PostForm } from '../form'
import { FormPage } from '../form-page'
import { severityBadges } from './servers'

/** Domains named of a long list. */
const mostNamed = 100

export interface ImportPreviewProps {
  readonly preview: ImportPreview
  /** The list itself, which the form sends again. */
  readonly csv: string
  readonly action: string
}

/** Changes that an uploaded list of limits would make, and the form that makes them. */
export function ImportPreviewPage({ preview, csv, action }: ImportPreviewProps) {
  const t = useTranslation()
  const { added, conflicts, covered, excepted, effects } = preview
  const { accountsCount: accounts, followingCount: following, followersCount: followers } = effects
  return (
    <FormPage title={t('admin.import.importOfLimits')}>
      <p>
        {t('admin.import.newLimitsLinesChange', {
          added: added.length,
          unchanged: covered.length + excepted.length,
        })}
      </p>
      <p>{t('admin.suspensionsHideAccountsEnd', { accounts, following, followers })}</p>
      {added.length > 0 && (
        <ul>
          {added.slice(0, mostNamed).map(({ domain, severity }) => (
            <li>
              <bdi>{domain}</bdi> <span class="tag">{t(severityBadges[severity])}</span>
            </li>
          ))}
        </ul>
      )}
      {added.length > mostNamed && (
        <p class="quiet small">{t('admin.import.andCountMore', { count: added.length - mostNamed })}</p>
      )}
      {conflicts.length > 0 && (
        <>
          <h2>{t('admin.import.limitedAnotherWayHere')}</h2>
          <ul>
            {conflicts.slice(0, mostNamed).map(({ listed, existing }) => (
              <li>
                <bdi>{listed.domain}</bdi>{' '}
                {t('admin.import.existingHereListedList', {
                  existing: t(severityBadges[existing.severity]),
                  listed: t(severityBadges[listed.severity]),
                })}
              </li>
            ))}
          </ul>
        </>
      )}
      {added.length + conflicts.length > 0 && (
        <PostForm action={action} hidden={{ csv }}>
          {conflicts.length > 0 && (
            <CheckboxField
              name="overwrite"
              label={t('admin.import.changeLimitsExistList')}
              isChecked={false}
              isOptional
            />
          )}
          <Button look="danger">{t('common.import')}</Button>
        </PostForm>
      )}
      <p>
        <a href={paths.domainLimits}>{t('admin.limitsOnServers')}</a>
      </p>
    </FormPage>
  )
}
