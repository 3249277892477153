import type { Child } from 'hono/jsx'
import * as z from 'zod'
import { combineQueries, execute } from '../../../db/query'
import { type PushDevice, pushDevicesOf, removePushDevice } from '../../../domain/notifications/push-devices'
import {
  type AuthorizedApplication,
  listAuthorized,
  revokeApplication,
} from '../../../domain/sessions/authorized-applications'
import { recognizeBrowser } from '../../../lib/browser'
import { browserText } from '../../browser-text'
import { ScopeList } from '../../components/app-list'
import { Button } from '../../components/button'
import { Day } from '../../components/day'
import { PostForm } from '../../components/form'
import { ExternalLink } from '../../components/page-links'
import { SettingsLayout } from '../../components/settings-layout'
import { useTranslation } from '../../i18n/context'
import type { SubmissionCall } from '../../member-pages/declaration'
import { idInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { applicationRevokePath, paths } from '../../paths'

const title = 'settings.apps.appsAndDevices'

export const appsPage = memberPage({
  kind: 'settings',
  path: paths.authorizedApplications,
  title,
  access: 'signed-in',
  menu: { group: 'security', topic: 'devices', label: title, order: 205 },
  words: ['settings.apps.authorisedApplications', 'settings.apps.devicesGetPushNotifications'],
  form: z.object({}),
  submissions: [
    { path: `${paths.authorizedApplications}/:id/revoke`, isCommand: true, run: revoke },
    { path: `${paths.authorizedApplications}/:id`, methods: ['DELETE'], isCommand: true, run: revoke },
    { path: `${paths.pushDevices}/:id/remove`, isCommand: true, run: removeDevice },
  ],
  notices: {
    application: 'settings.apps.applicationCanNoLonger',
    device: 'settings.apps.nothingPushedDeviceAny',
  },
  load: (ctx, { session: { accountId } }) =>
    execute(
      ctx.db,
      combineQueries({
        applications: listAuthorized(ctx, accountId),
        devices: pushDevicesOf(ctx, accountId),
      }),
    ),
  view: ({ found }) => <AppsPage {...found} />,
})

async function revoke({ c, ctx, session }: SubmissionCall<unknown>) {
  const id = idInPath(c)
  if (id !== null) await revokeApplication(ctx, session.accountId, id)
  return { notice: 'application' as const }
}

async function removeDevice({ c, ctx, session }: SubmissionCall<unknown>) {
  const id = idInPath(c)
  if (id !== null) await removePushDevice(ctx, session.accountId, id)
  return { notice: 'device' as const }
}

export interface AppsPageProps {
  readonly applications: readonly AuthorizedApplication[]
  readonly devices: readonly PushDevice[]
}

/** Applications with access to the account, and devices that notifications are pushed to. */
export function AppsPage(props: AppsPageProps) {
  const { applications } = props
  const t = useTranslation()
  return (
    <SettingsLayout title={t(title)}>
      <section class="block" aria-labelledby="applications">
        <h2 id="applications">{t('settings.apps.authorisedApplications')}</h2>
        {applications.length === 0 ? (
          <p class="quiet small">{t('settings.apps.noneYetWhenSign')}</p>
        ) : (
          <ul class="entries">
            {applications.map((application) => (
              <li>
                <Application application={application} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <DeviceSection {...props} />
    </SettingsLayout>
  )
}

interface ApplicationProps {
  readonly application: AuthorizedApplication
}

function Application({ application }: ApplicationProps) {
  const { id, name, website, scopes, createdAt, lastUsedAt } = application
  const t = useTranslation()
  return (
    <>
      <h3>
        <bdi>{name}</bdi>
      </h3>
      <p class="quiet small">
        {website !== null && (
          <>
            <ExternalLink url={website} />
            {' · '}
          </>
        )}
        {t.rich('settings.apps.authorisedDay', { day: <Day at={createdAt} /> })}
        {' · '}
        {lastUsedAt === null
          ? t('common.neverUsed')
          : t.rich('common.lastUsedDay', { day: <Day at={lastUsedAt} /> })}
      </p>
      <details>
        <summary>{t('settings.apps.whatMayDo')}</summary>
        <ScopeList scopes={scopes} heading="h4" />
      </details>
      <details class="confirm">
        <summary>
          {t('settings.apps.revoke')}
          <span class="hidden"> {name}</span>
        </summary>
        <PostForm action={applicationRevokePath(String(id))}>
          <p>
            {t.rich('settings.apps.applicationSignedOutEverywhere', {
              application: name,
              name: (words: Child[]) => <strong>{words}</strong>,
            })}
          </p>
          <Button look="danger">{t('settings.apps.revokeAccess')}</Button>
        </PostForm>
      </details>
    </>
  )
}

function DeviceSection({ devices }: AppsPageProps) {
  const t = useTranslation()
  const named = devices.map(({ applicationName, userAgent, ...device }) => ({
    ...device,
    name: applicationName ?? browserText(t, recognizeBrowser(userAgent ?? '')),
  }))
  return (
    <section class="block" aria-labelledby="devices">
      <h2 id="devices">{t('settings.apps.devicesGetPushNotifications')}</h2>
      {devices.length === 0 && <p class="quiet small">{t('settings.apps.noneYetAppsAsk')}</p>}
      <ul class="entries">
        {named.map(({ id, name, service, createdAt }) => (
          <li class="entry-line">
            <div>
              <h3>
                <bdi>{name}</bdi>
              </h3>
              <p class="quiet small">
                {t.rich('settings.apps.throughServiceSinceDay', { service, day: <Day at={createdAt} /> })}
              </p>
            </div>
            <PostForm action={`${paths.pushDevices}/${id}/remove`} class="inline">
              <Button look="secondary">
                {t('settings.apps.stop')}
                <span class="hidden"> {name}</span>
              </Button>
            </PostForm>
          </li>
        ))}
      </ul>
    </section>
  )
}
