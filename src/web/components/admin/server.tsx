import type { LimitEffects } from '../../../domain/moderation/preview-effects'
import { message } from '../../../lib/translate'
import type { CheckedStep } from '../../../ports/federation'
import { useTranslation } from '../../i18n/context'
import type { PageView } from '../../member-pages/declaration'
import type { FoundServer } from '../../pages/admin/load-server'
import { paths, serverPath } from '../../paths'
import type { PageProps } from '../../site'
import { Button } from '../button'
import { Command } from '../confirm'
import { Day } from '../day'
import { CheckboxField, ChoiceField, TextField } from '../field'
import { hasErrors, PostForm } from '../form'
import { FormPage } from '../form-page'
import { Outcome } from '../outcome'
import { MeasureCharts } from './measure-chart'
import { Facts, Panel } from './panel'
import { ServerTabs, severityBadges, severityChoices } from './servers'

type Page = PageView<FoundServer, string>

const measureTitles: Readonly<Record<FoundServer['measures'][number]['key'], string>> = {
  instance_statuses: message('Posts from there'),
  instance_follows: message('Follows by members'),
  instance_followers: message('Follows of members'),
}

export function ServerView({ page }: { readonly page: Page }) {
  const t = useTranslation()
  const { found, csrfToken } = page
  const { domain, server } = found
  return (
    <Panel page={page} title={t('Server')} current={paths.servers}>
      <ServerTabs current="known" />
      <section class="card" aria-labelledby="server">
        <h2 id="server">
          <bdi>{domain}</bdi>
        </h2>
        {server === null ? (
          <p class="muted">{t('No account of this server is known here.')}</p>
        ) : (
          <Facts
            facts={[
              [
                t('Software'),
                server.software === null ? '' : `${server.software} ${server.softwareVersion ?? ''}`,
              ],
              [t('Accounts known here'), String(server.accountsCount)],
              [t('Accounts that members follow'), String(server.followingCount)],
              [t('Followers of members'), String(server.followersCount)],
              [
                t('Last heard of'),
                server.lastSeenAt === null ? null : <Day at={server.lastSeenAt} withTime />,
              ],
            ]}
          />
        )}
        <p>
          <a href={`${paths.moderatedAccounts}?${new URLSearchParams({ origin: 'remote', domain })}`}>
            {t('Its accounts')}
          </a>
        </p>
      </section>
      <Deliveries found={found} csrfToken={csrfToken} message={page.message} />
      {found.isLimitable ? (
        <LimitForm page={page} />
      ) : (
        <p class="muted">
          {t('This domain cannot be limited: it is your own, or shared by unrelated servers.')}
        </p>
      )}
      {found.measures.length > 0 && (
        <MeasureCharts
          charts={found.measures.map(({ key, measure }) => ({ title: t(measureTitles[key]), measure }))}
        />
      )}
    </Panel>
  )
}

function Deliveries({
  found: { domain, failing },
  csrfToken,
  message,
}: Pick<Page, 'found' | 'csrfToken' | 'message'>) {
  const t = useTranslation()
  const path = serverPath(domain)
  return (
    <section class="card" aria-labelledby="deliveries">
      <h2 id="deliveries">{t('Deliveries')}</h2>
      <Outcome message={message} at="deliveries" />
      {failing === null ? (
        <p>{t('No failure is known.')}</p>
      ) : (
        <Facts
          facts={[
            [t('State'), failing.unreachable ? t('given up after a week') : t('tried again and again')],
            [t('Fails since'), <Day at={failing.failingSince} withTime />],
            [
              t('Last reached'),
              failing.lastSuccessAt === null ? t('never') : <Day at={failing.lastSuccessAt} withTime />,
            ],
            [t('Waiting'), String(failing.waiting)],
            [t('Answer'), <bdi>{failing.error}</bdi>],
            [t('Next attempt'), failing.nextAt === null ? null : <Day at={failing.nextAt} withTime />],
          ]}
        />
      )}
      <div class="actions">
        <Command action={`${path}/check`} csrfToken={csrfToken}>
          {t('Check the connection')}
        </Command>
        {failing !== null && (
          <>
            <Command action={`${path}/retry`} csrfToken={csrfToken}>
              {t('Try again now')}
            </Command>
            <Command action={`${path}/drop`} csrfToken={csrfToken} asks>
              {t('Give up deliveries')}
            </Command>
          </>
        )}
      </div>
    </section>
  )
}

function Effects({ effects }: { readonly effects: LimitEffects }) {
  const t = useTranslation()
  const { accountsCount: accounts, followingCount: following, followersCount: followers } = effects
  return (
    <>
      <p>
        {t(
          'A suspension hides {accounts, plural, one {# account} other {# accounts}}, and ends {following, plural, one {# follow} other {# follows}} by members and {followers, plural, one {# follow} other {# follows}} of members. Subdomains are counted in.',
          { accounts, following, followers },
        )}
      </p>
      {!effects.isComplete && <p class="muted">{t('There are more subdomains than were counted.')}</p>}
    </>
  )
}

function LimitForm({ page }: { readonly page: Page }) {
  const t = useTranslation()
  const { found, csrfToken, errors, typed } = page
  const { domain, limit, above, effects } = found
  const path = serverPath(domain)
  const isRefused = hasErrors(errors)
  const value = (name: string, stored: string | undefined) => (isRefused ? typed(name) : (stored ?? ''))
  const isTicked = (name: string, stored: boolean | undefined) =>
    isRefused ? typed(name) === 'true' : stored === true
  return (
    <section class="card" aria-labelledby="limit">
      <h2 id="limit">
        {t('Limit')}{' '}
        {limit !== null && <span class="badge badge-warning">{t(severityBadges[limit.severity])}</span>}
      </h2>
      <Outcome message={page.message} at="limit" />
      {above.map((one) => (
        <p>
          {t.rich('A limit on <link></link> covers this server too.', {
            link: () => <a href={serverPath(one.domain)}>{one.domain}</a>,
          })}{' '}
          <span class="badge badge-warning">{t(severityBadges[one.severity])}</span>
        </p>
      ))}
      {limit?.severity === 'suspend' ? null : <Effects effects={effects} />}
      <PostForm action={`${path}/limit`} csrfToken={csrfToken}>
        <ChoiceField
          name="severity"
          label={t('What happens')}
          value={value('severity', limit?.severity)}
          errors={errors.fields?.['severity']}
          options={(['silence', 'suspend', 'noop'] as const).map((severity) => ({
            value: severity,
            text: t(severityChoices[severity].text),
            hint: t(severityChoices[severity].hint),
          }))}
        />
        <CheckboxField
          name="reject_media"
          label={t('Fetch no media from there')}
          isChecked={isTicked('reject_media', limit?.rejectMedia)}
          isOptional
        />
        <CheckboxField
          name="reject_reports"
          label={t('Ignore its reports')}
          isChecked={isTicked('reject_reports', limit?.rejectReports)}
          isOptional
        />
        <CheckboxField
          name="obfuscate"
          label={t('Show its name only in part in the public list')}
          isChecked={isTicked('obfuscate', limit?.obfuscate)}
          isOptional
        />
        <TextField
          name="public_comment"
          label={t('Public reason')}
          value={value('public_comment', limit?.publicComment)}
          autocomplete="off"
          maxlength={2_000}
          isOptional
        />
        <TextField
          name="private_comment"
          label={t('Comment for moderators')}
          value={value('private_comment', limit?.privateComment)}
          autocomplete="off"
          maxlength={2_000}
          isOptional
        />
        <Button look={limit === null ? 'danger' : 'primary'}>
          {limit === null ? t('Put the limit in force') : t('Change the limit')}
        </Button>
      </PostForm>
      {limit !== null && (
        <Command action={`${path}/lift`} csrfToken={csrfToken} asks>
          {t('Lift the limit')}
        </Command>
      )}
    </section>
  )
}

const stepTexts: Readonly<Record<CheckedStep['step'], string>> = {
  limits: message('Limits'),
  software: message('Software'),
  webfinger: message('Addresses of accounts'),
  signature: message('Signatures'),
  delivery: message('Deliveries'),
}
const outcomeTexts: Readonly<Record<CheckedStep['outcome'], string>> = {
  passed: message('works'),
  failed: message('fails'),
  skipped: message('not tried'),
}

/** Outcome of each step of federation with a server: shown once. */
export function CheckedServer({
  site,
  viewer,
  domain,
  steps,
}: PageProps & { readonly domain: string; readonly steps: readonly CheckedStep[] }) {
  const t = useTranslation()
  return (
    <FormPage site={site} viewer={viewer} title={t('Connection to {domain}', { domain })} errors={{}}>
      <ul class="entries">
        {steps.map(({ step, outcome, explanation }) => (
          <li>
            <p>
              <strong>{t(stepTexts[step])}</strong>{' '}
              <span class={outcome === 'failed' ? 'badge badge-warning' : 'badge'}>
                {t(outcomeTexts[outcome])}
              </span>
            </p>
            <p class="muted" lang="en">
              {explanation}
            </p>
          </li>
        ))}
      </ul>
      <p>
        <a href={serverPath(domain)}>{domain}</a>
      </p>
    </FormPage>
  )
}
