import type { Subscription } from '../../../domain/moderation/blocklists/find'
import type { ReviewPreview } from '../../../domain/moderation/blocklists/review'
import { useTranslation } from '../../i18n/context'
import type { PageView } from '../../member-pages/declaration'
import type { FoundBlocklist } from '../../pages/admin/load-blocklist'
import { paths, serverPath } from '../../paths'
import { Command } from '../confirm'
import { Day } from '../day'
import { FormPage } from '../form-page'
import { More, Panel } from './panel'
import { ServerTabs, severityBadges } from './servers'

/** Address of a list, and how its last check went. */
export function ListLines({ list }: { readonly list: Subscription }) {
  const t = useTranslation()
  return (
    <>
      <bdi>{list.url}</bdi>
      <br />
      {list.checkedAt === null
        ? t('admin.blocklist.notFetchedYet')
        : t.rich('admin.blocklist.fetchedOn', {
            day: () => <Day at={list.checkedAt ?? list.createdAt} withTime />,
          })}
      {list.endedAt !== null && <> · {t('admin.blocklist.endedLimitsBeingLifted')}</>}
      {list.error !== null && (
        <>
          <br />
          <span class="error" lang="en">
            {list.error}
          </span>
        </>
      )}
    </>
  )
}

const changeTexts = {
  add: 'admin.blocklist.newLimit',
  change: 'admin.blocklist.changedLimit',
  remove: 'admin.blocklist.noLongerList',
} as const

export function BlocklistView({ page }: { readonly page: PageView<FoundBlocklist> }) {
  const t = useTranslation()
  const { found } = page
  const { list, changes } = found
  const path = `${paths.blocklists}/${list.id}`
  return (
    <Panel title={t('admin.blocklist')} current={paths.servers}>
      <ServerTabs current="blocklists" />
      <section class="block" aria-labelledby="list">
        <h2 id="list">
          <bdi>{list.title}</bdi>
        </h2>
        <p class="quiet small">
          <ListLines list={list} />
        </p>
        {changes.length > 0 && (
          <Command action={`${path}/review`}>{t('admin.blocklist.decideAboutAllChanges')}</Command>
        )}
        <p>
          <a href="/admin/blocklist_exceptions">{t('admin.exceptionsFromBlocklists')}</a>
        </p>
      </section>
      {changes.length === 0 ? (
        <p class="quiet small">{t('admin.blocklist.noChangeWaitsDecision')}</p>
      ) : (
        <ul class="entries block">
          {changes.map(({ id, domain, change, severity, publicComment, existing }) => (
            <li>
              <h2 class="entry-title">
                <a href={serverPath(domain)}>
                  <bdi>{domain}</bdi>
                </a>{' '}
                <span class="tag">{t(changeTexts[change])}</span>
                {change !== 'remove' && <span class="tag warn">{t(severityBadges[severity])}</span>}
              </h2>
              {existing !== null && (
                <p class="quiet small">
                  {t('admin.blocklist.hereSeverity', { severity: t(severityBadges[existing]) })}
                </p>
              )}
              {publicComment !== '' && (
                <p class="quiet small">
                  <bdi>{publicComment}</bdi>
                </p>
              )}
              <div class="actions">
                <Command action={`${path}/approve`} hidden={{ change: String(id) }} about={domain}>
                  {t('admin.approve')}
                </Command>
                <Command action={`${path}/reject`} hidden={{ change: String(id) }} about={domain}>
                  {t('admin.reject')}
                </Command>
              </div>
            </li>
          ))}
        </ul>
      )}
      <More olderUrl={found.olderUrl} />
    </Panel>
  )
}

export interface ReviewPageProps {
  readonly title: string
  readonly path: string
  readonly preview: ReviewPreview
}

/** Sum of the changes that a list proposes, with the decision about all of them. */
export function ReviewPage({ title, path, preview }: ReviewPageProps) {
  const t = useTranslation()
  const { added, changed, removed, effects } = preview
  const { accountsCount: accounts, followingCount: following, followersCount: followers } = effects
  return (
    <FormPage title={t('admin.blocklist.changesOfList', { list: title })}>
      <ul>
        <li>{t('admin.blocklist.newLimits', { added })}</li>
        <li>{t('admin.blocklist.changedLimits', { changed })}</li>
        <li>{t('admin.blocklist.limitsToLift', { removed })}</li>
      </ul>
      <p>{t('admin.suspensionsHideAccountsEnd', { accounts, following, followers })}</p>
      <div class="actions">
        <Command action={`${path}/approve`} asks>
          {t('admin.blocklist.approveAll')}
        </Command>
        <Command action={`${path}/reject`} asks>
          {t('admin.blocklist.rejectAll')}
        </Command>
      </div>
      <p>
        <a href={path}>{t('admin.blocklist.backList')}</a>
      </p>
    </FormPage>
  )
}
