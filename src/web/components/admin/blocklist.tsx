import type { Subscription } from '../../../domain/moderation/blocklists/find'
import type { ReviewPreview } from '../../../domain/moderation/blocklists/review'
import { message } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'
import type { PageView } from '../../member-pages/declaration'
import type { FoundBlocklist } from '../../pages/admin/load-blocklist'
import { paths, serverPath } from '../../paths'
import type { FormPageProps } from '../../site'
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
        ? t('not fetched yet')
        : t.rich('fetched on <day></day>', {
            day: () => <Day at={list.checkedAt ?? list.createdAt} withTime />,
          })}
      {list.endedAt !== null && <> · {t('ended: its limits are being lifted')}</>}
      {list.error !== null && (
        <>
          <br />
          <span class="field-error" lang="en">
            {list.error}
          </span>
        </>
      )}
    </>
  )
}

const changeTexts = {
  add: message('new limit'),
  change: message('changed limit'),
  remove: message('no longer on the list'),
} as const

export function BlocklistView({ page }: { readonly page: PageView<FoundBlocklist, string> }) {
  const t = useTranslation()
  const { found, csrfToken } = page
  const { list, changes } = found
  const path = `${paths.blocklists}/${list.id}`
  return (
    <Panel page={page} title={t('Blocklist')} current={paths.servers}>
      <ServerTabs current="blocklists" />
      <section class="card" aria-labelledby="list">
        <h2 id="list">
          <bdi>{list.title}</bdi>
        </h2>
        <p class="muted">
          <ListLines list={list} />
        </p>
        {changes.length > 0 && (
          <Command action={`${path}/review`} csrfToken={csrfToken}>
            {t('Decide about all changes')}
          </Command>
        )}
        <p>
          <a href="/admin/blocklist_exceptions">{t('Exceptions from blocklists')}</a>
        </p>
      </section>
      {changes.length === 0 ? (
        <p class="muted">{t('No change waits for a decision.')}</p>
      ) : (
        <ul class="entries card">
          {changes.map(({ id, domain, change, severity, publicComment, existing }) => (
            <li>
              <h2 class="entry-title">
                <a href={serverPath(domain)}>
                  <bdi>{domain}</bdi>
                </a>{' '}
                <span class="badge">{t(changeTexts[change])}</span>
                {change !== 'remove' && (
                  <span class="badge badge-warning">{t(severityBadges[severity])}</span>
                )}
              </h2>
              {existing !== null && (
                <p class="muted">{t('Here it is {severity}.', { severity: t(severityBadges[existing]) })}</p>
              )}
              {publicComment !== '' && (
                <p class="muted">
                  <bdi>{publicComment}</bdi>
                </p>
              )}
              <div class="actions">
                <Command
                  action={`${path}/approve`}
                  csrfToken={csrfToken}
                  hidden={{ change: String(id) }}
                  about={domain}
                >
                  {t('Approve')}
                </Command>
                <Command
                  action={`${path}/reject`}
                  csrfToken={csrfToken}
                  hidden={{ change: String(id) }}
                  about={domain}
                >
                  {t('Reject')}
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

export interface ReviewPageProps extends FormPageProps {
  readonly title: string
  readonly path: string
  readonly preview: ReviewPreview
}

/** Sum of the changes that a list proposes, with the decision about all of them. */
export function ReviewPage({ site, viewer, csrfToken, title, path, preview }: ReviewPageProps) {
  const t = useTranslation()
  const { added, changed, removed, effects } = preview
  const { accountsCount: accounts, followingCount: following, followersCount: followers } = effects
  return (
    <FormPage site={site} viewer={viewer} title={t('Changes of {list}', { list: title })} errors={{}}>
      <ul>
        <li>{t('{added, plural, one {# new limit} other {# new limits}}', { added })}</li>
        <li>{t('{changed, plural, one {# changed limit} other {# changed limits}}', { changed })}</li>
        <li>{t('{removed, plural, one {# limit to lift} other {# limits to lift}}', { removed })}</li>
      </ul>
      <p>
        {t(
          'Its suspensions hide {accounts, plural, one {# account} other {# accounts}}, and end {following, plural, one {# follow} other {# follows}} by members and {followers, plural, one {# follow} other {# follows}} of members.',
          { accounts, following, followers },
        )}
      </p>
      <div class="actions">
        <Command action={`${path}/approve`} csrfToken={csrfToken} asks>
          {t('Approve all')}
        </Command>
        <Command action={`${path}/reject`} csrfToken={csrfToken} asks>
          {t('Reject all')}
        </Command>
      </div>
      <p>
        <a href={path}>{t('Back to the list')}</a>
      </p>
    </FormPage>
  )
}
