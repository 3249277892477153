import type { LimitEffects } from '../../../domain/moderation/preview-effects'
import type { TextKey } from '../../../lib/translate'
import type { CheckedStep } from '../../../ports/federation'
import { hasErrors } from '../../form-errors'
import { useTranslation } from '../../i18n/context'
import type { PageView } from '../../member-pages/declaration'
import { usePage } from '../../page-context'
import type { FoundServer } from '../../pages/admin/load-server'
import { paths, serverPath } from '../../paths'
import { Button } from '../button'
import { Command } from '../confirm'
import { Day } from '../day'
import { CheckboxField, ChoiceField, TextField } from '../field'
import { PostForm } from '../form'
import { FormPage, Outcome } from '../form-page'
import { MeasureCharts } from './measure-chart'
import { Facts, Panel } from './panel'
import { ServerTabs, severityBadges, severityChoices } from './servers'

type Page = PageView<FoundServer>

const measureTitles: Readonly<Record<FoundServer['measures'][number]['key'], TextKey>> = {
  instance_statuses: 'admin.server.postsFromThere',
  instance_follows: 'admin.followsByMembers',
  instance_followers: 'admin.followsOfMembers',
}

export function ServerView({ page }: { readonly page: Page }) {
  const t = useTranslation()
  const { found } = page
  const { domain, server } = found
  return (
    <Panel title={t('field.server')} current={paths.servers}>
      <ServerTabs current="known" />
      <section class="block" aria-labelledby="server">
        <h2 id="server">
          <bdi>{domain}</bdi>
        </h2>
        {server === null ? (
          <p class="quiet small">{t('admin.server.noAccountServerKnown')}</p>
        ) : (
          <Facts
            facts={[
              [
                t('admin.software'),
                server.software === null ? '' : `${server.software} ${server.softwareVersion ?? ''}`,
              ],
              [t('admin.accountsKnownHere'), String(server.accountsCount)],
              [t('admin.server.accountsMembersFollow'), String(server.followingCount)],
              [t('admin.server.followersOfMembers'), String(server.followersCount)],
              [
                t('admin.server.lastHeardOf'),
                server.lastSeenAt === null ? null : <Day at={server.lastSeenAt} withTime />,
              ],
            ]}
          />
        )}
        <p>
          <a href={`${paths.moderatedAccounts}?${new URLSearchParams({ origin: 'remote', domain })}`}>
            {t('admin.server.itsAccounts')}
          </a>
        </p>
      </section>
      <Deliveries found={found} />
      {found.isLimitable ? (
        <LimitForm page={page} />
      ) : (
        <p class="quiet small">{t('admin.server.domainCannotLimitedOwn')}</p>
      )}
      {found.measures.length > 0 && (
        <MeasureCharts
          charts={found.measures.map(({ key, measure }) => ({ title: t(measureTitles[key]), measure }))}
        />
      )}
    </Panel>
  )
}

function Deliveries({ found: { domain, failing } }: Pick<Page, 'found'>) {
  const t = useTranslation()
  const path = serverPath(domain)
  return (
    <section class="block" aria-labelledby="deliveries">
      <h2 id="deliveries">{t('admin.server.deliveries')}</h2>
      <Outcome at="deliveries" />
      {failing === null ? (
        <p>{t('admin.server.noFailureKnown')}</p>
      ) : (
        <Facts
          facts={[
            [
              t('field.state'),
              failing.unreachable ? t('admin.server.givenUpAfterWeek') : t('admin.server.triedAgainAgain'),
            ],
            [t('field.failsSince'), <Day at={failing.failingSince} withTime />],
            [
              t('admin.server.lastReached'),
              failing.lastSuccessAt === null ? (
                t('admin.server.never')
              ) : (
                <Day at={failing.lastSuccessAt} withTime />
              ),
            ],
            [t('admin.server.waiting'), String(failing.waiting)],
            [t('admin.server.answer'), <bdi>{failing.error}</bdi>],
            [
              t('admin.server.nextAttempt'),
              failing.nextAt === null ? null : <Day at={failing.nextAt} withTime />,
            ],
          ]}
        />
      )}
      <div class="actions">
        <Command action={`${path}/check`}>{t('admin.server.checkTheConnection')}</Command>
        {failing !== null && (
          <>
            <Command action={`${path}/retry`}>{t('admin.server.tryAgainNow')}</Command>
            <Command action={`${path}/drop`} asks>
              {t('admin.server.giveUpDeliveries')}
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
      <p>{t('admin.server.suspensionHidesAccountsEnds', { accounts, following, followers })}</p>
      {!effects.isComplete && <p class="quiet small">{t('admin.server.thereMoreSubdomainsThan')}</p>}
    </>
  )
}

function LimitForm({ page }: { readonly page: Page }) {
  const t = useTranslation()
  const { errors } = usePage()
  const { found, typed } = page
  const { domain, limit, above, effects } = found
  const path = serverPath(domain)
  const isRefused = hasErrors(errors)
  const value = (name: string, stored: string | undefined) => (isRefused ? typed(name) : (stored ?? ''))
  const isTicked = (name: string, stored: boolean | undefined) =>
    isRefused ? typed(name) === 'true' : stored === true
  return (
    <section class="block" aria-labelledby="limit">
      <h2 id="limit">
        {t('admin.limit')}{' '}
        {limit !== null && <span class="tag warn">{t(severityBadges[limit.severity])}</span>}
      </h2>
      <Outcome at="limit" />
      {above.map((one) => (
        <p>
          {t.rich('admin.server.limitCoversServerToo', {
            link: () => <a href={serverPath(one.domain)}>{one.domain}</a>,
          })}{' '}
          <span class="tag warn">{t(severityBadges[one.severity])}</span>
        </p>
      ))}
      {limit?.severity === 'suspend' ? null : <Effects effects={effects} />}
      <PostForm action={`${path}/limit`}>
        <ChoiceField
          name="severity"
          label={t('field.whatHappens')}
          value={value('severity', limit?.severity)}
          options={(['silence', 'suspend', 'noop'] as const).map((severity) => ({
            value: severity,
            text: t(severityChoices[severity].text),
            hint: t(severityChoices[severity].hint),
          }))}
        />
        <CheckboxField
          name="reject_media"
          label={t('admin.server.fetchNoMediaFrom')}
          isChecked={isTicked('reject_media', limit?.rejectMedia)}
          isOptional
        />
        <CheckboxField
          name="reject_reports"
          label={t('admin.server.ignoreItsReports')}
          isChecked={isTicked('reject_reports', limit?.rejectReports)}
          isOptional
        />
        <CheckboxField
          name="obfuscate"
          label={t('admin.server.showNameOnlyPart')}
          isChecked={isTicked('obfuscate', limit?.obfuscate)}
          isOptional
        />
        <TextField
          name="public_comment"
          label={t('field.publicReason')}
          value={value('public_comment', limit?.publicComment)}
          autocomplete="off"
          maxlength={2_000}
          isOptional
        />
        <TextField
          name="private_comment"
          label={t('field.commentForModerators')}
          value={value('private_comment', limit?.privateComment)}
          autocomplete="off"
          maxlength={2_000}
          isOptional
        />
        <Button look={limit === null ? 'danger' : 'primary'}>
          {limit === null ? t('admin.applyLimit') : t('admin.changeTheLimit')}
        </Button>
      </PostForm>
      {limit !== null && (
        <Command action={`${path}/lift`} asks>
          {t('admin.liftTheLimit')}
        </Command>
      )}
    </section>
  )
}

const stepTexts: Readonly<Record<CheckedStep['step'], TextKey>> = {
  limits: 'admin.limits',
  software: 'admin.software',
  webfinger: 'admin.server.addressesOfAccounts',
  signature: 'admin.server.signatures',
  delivery: 'admin.server.deliveries',
}
const outcomeTexts: Readonly<Record<CheckedStep['outcome'], TextKey>> = {
  passed: 'admin.server.works',
  failed: 'admin.server.fails',
  skipped: 'admin.server.notTried',
}

/** Outcome of each step of federation with a server: shown once. */
export function CheckedServer({
  domain,
  steps,
}: {
  readonly domain: string
  readonly steps: readonly CheckedStep[]
}) {
  const t = useTranslation()
  return (
    <FormPage title={t('admin.server.connectionToDomain', { domain })}>
      <ul class="entries">
        {steps.map(({ step, outcome, explanation }) => (
          <li>
            <p>
              <strong>{t(stepTexts[step])}</strong>{' '}
              <span class={outcome === 'failed' ? 'tag warn' : 'tag'}>{t(outcomeTexts[outcome])}</span>
            </p>
            <p class="quiet small" lang="en">
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
