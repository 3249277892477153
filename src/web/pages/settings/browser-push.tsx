import * as z from 'zod'
import {
  type NotificationType,
  notificationKind,
  type PushAlert,
  pushAlerts,
} from '../../../contract/notification-kinds'
import { both, execute } from '../../../db/query'
import { pushPolicies } from '../../../db/schema/push'
import { ensureVapidKey, loadVapidKey } from '../../../domain/instance/keys'
import {
  browserPushOf,
  subscribeBrowser,
  unsubscribeBrowser,
  updateBrowserPush,
} from '../../../domain/notifications/browser-push'
import type { PushChoices } from '../../../domain/notifications/subscribe-push'
import { hasPermission } from '../../../domain/policy/permissions'
import type { WebSession } from '../../../domain/sessions/web-session'
import { Invalid, NotFound } from '../../../errors'
import type { TextKey } from '../../../lib/translate'
import { Button } from '../../components/button'
import { CheckboxField, SelectField } from '../../components/field'
import { CsrfField, PostForm } from '../../components/form'
import { IslandScript } from '../../components/island-script'
import { SettingsLayout } from '../../components/settings-layout'
import { checkboxes, chosenOf, textField, tickedOf } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import { choiceTexts } from './email-notifications'

const title = 'settings.push.notificationsInBrowser'
const [onPath, offPath] = [`${paths.browserPush}/on`, `${paths.browserPush}/off`] as const

type Policy = PushChoices['policy']

/** Completes "Show a notification when". */
const alertTexts: Readonly<Record<PushAlert, TextKey>> = {
  ...choiceTexts,
  status: 'settings.push.somebodyFollowPosts',
  poll: 'settings.push.pollTookPartEnds',
  update: 'settings.push.postBoostedIsEdited',
  quoted_update: 'settings.push.postQuotedIsEdited',
}

const policyTexts: Readonly<Record<Policy, TextKey>> = {
  all: 'settings.push.fromEverybody',
  followed: 'settings.push.fromPeopleFollow',
  follower: 'settings.push.fromFollowers',
  none: 'settings.push.fromNobody',
}

const form = z.object({
  endpoint: textField(),
  p256dh: textField(200),
  auth: textField(200),
  policy: textField(20),
  ...checkboxes(pushAlerts),
})

export const browserPushPage = memberPage({
  kind: 'settings',
  path: paths.browserPush,
  title,
  access: 'active',
  menu: { group: 'reach', topic: 'notifications', label: title, order: 32 },
  words: ['settings.push.thisBrowser', 'settings.push.fromWhom', 'settings.push.showWhen'],
  form,
  script: 'push.js',
  needs: ['worker'],
  submissions: [
    { run: save },
    { path: onPath, run: turnOn },
    { path: offPath, isCommand: true, run: turnOff },
  ],
  notices: {
    on: 'settings.push.nowOn',
    off: 'settings.push.nowOff',
    saved: 'settings.push.choicesSaved',
  },
  load: async (ctx, { session }) => {
    const [chosen, key] = await execute(ctx.db, both(browserPushOf(ctx, session.id), loadVapidKey(ctx)))
    return { chosen, serverKey: await ensureVapidKey(ctx, key) }
  },
  view: ({ session, found: { chosen, serverKey } }) => (
    <BrowserPushPage chosen={chosen} serverKey={serverKey} offered={offered(session)} />
  ),
})

/** The kinds that a session can choose from. */
function offered({ permissions }: WebSession): readonly PushAlert[] {
  return pushAlerts.filter((alert) => {
    const permission = permissionOf(alert)
    return permission === null || hasPermission(permissions, permission)
  })
}

function permissionOf(type: NotificationType) {
  return notificationKind(type).permission
}

type Call = SubmissionCall<z.output<typeof form>>

async function turnOn({ ctx, session, input: { endpoint, p256dh, auth } }: Call) {
  // Kinds for moderators are pushed once they are chosen.
  const usual = pushAlerts.filter((alert) => permissionOf(alert) === null)
  const alerts = Object.fromEntries(usual.map((alert) => [alert, true]))
  // A browser whose address changed keeps what was chosen.
  const chosen = (await execute(ctx.db, browserPushOf(ctx, session.id))) ?? { alerts, policy: 'all' as const }
  try {
    await subscribeBrowser(ctx, session, { endpoint, p256dh, auth, ...chosen })
  } catch (refusal) {
    // A message without a field: the script filled them in.
    if (refusal instanceof Invalid) return { problem: 'settings.push.browserGaveNoAddress' as const }
    throw refusal
  }
  return { notice: 'on' as const }
}

async function turnOff({ ctx, session }: SubmissionCall<unknown>) {
  await unsubscribeBrowser(ctx, session.id)
  return { notice: 'off' as const }
}

async function save({ ctx, session, input }: Call) {
  const ticked = tickedOf(offered(session), input)
  const policy = chosenOf(pushPolicies, 'policy', input.policy)
  const alerts = Object.fromEntries(ticked.map((alert) => [alert, true]))
  try {
    await updateBrowserPush(ctx, session.id, { alerts, policy })
  } catch (refusal) {
    // The push service gave it up meanwhile, or another page turned it off.
    if (refusal instanceof NotFound) return { problem: 'settings.push.isOff' as const }
    throw refusal
  }
  return { notice: 'saved' as const }
}

export interface BrowserPushPageProps {
  /** Null: nothing is pushed to this browser. */
  readonly chosen: PushChoices | null
  /** Public key that this server signs its messages with. */
  readonly serverKey: string
  readonly offered: readonly PushAlert[]
}

/** Push notifications of the browser that shows the page: on, off, and what is pushed. */
export function BrowserPushPage({ chosen, serverKey, offered }: BrowserPushPageProps) {
  const t = useTranslation()
  return (
    <SettingsLayout title={t(title)}>
      <section class="block" aria-labelledby="state">
        <h2 id="state">{t('settings.push.thisBrowser')}</h2>
        {chosen === null ? (
          <p>{t('settings.push.browserAsksPermission')}</p>
        ) : (
          <>
            <p>{t('settings.push.onUntilSignOut')}</p>
            <div class="actions" data-push="off">
              <PostForm action={offPath} class="inline">
                <Button look="secondary">{t('settings.push.turnOff')}</Button>
              </PostForm>
            </div>
          </>
        )}
        <TurnOn serverKey={serverKey} isOn={chosen !== null} />
      </section>
      {chosen !== null && <Choices chosen={chosen} offered={offered} />}
    </SettingsLayout>
  )
}

/**
 * The form that turns notifications on, which the script fills in and shows where the browser has push; also where the
 * browser has lost what the server knows as on.
 */
function TurnOn({ serverKey, isOn }: { readonly serverKey: string; readonly isOn: boolean }) {
  const t = useTranslation()
  const words = {
    denied: t('settings.push.browserDidNotAllow'),
    default: t('settings.push.notAllowedYet'),
    failed: t('settings.push.serviceNotReached'),
  }
  return (
    <>
      <form
        method="post"
        action={onPath}
        class="form"
        data-push="on"
        data-key={serverKey}
        data-is-on={isOn}
        data-words={JSON.stringify(words)}
        hidden
      >
        <CsrfField />
        {['endpoint', 'p256dh', 'auth'].map((name) => (
          <input type="hidden" name={name} value="" />
        ))}
        {isOn && <p>{t('settings.push.browserLostIt')}</p>}
        <div class="actions">
          <Button>{t('settings.push.turnOn')}</Button>
        </div>
        <p class="error" role="alert" hidden></p>
      </form>
      <p class="quiet small" data-push="missing" hidden>
        {t('settings.push.browserHasNoPush')}
      </p>
      <noscript>
        <p class="quiet small">{t('settings.push.needsJavaScript')}</p>
      </noscript>
      <IslandScript name="push.js" />
    </>
  )
}

interface ChoicesProps {
  readonly chosen: PushChoices
  readonly offered: readonly PushAlert[]
}

function Choices({ chosen: { alerts, policy }, offered }: ChoicesProps) {
  const t = useTranslation()
  const boxes = (kinds: readonly PushAlert[]) =>
    kinds.map((alert) => (
      <CheckboxField
        name={alert}
        label={t(alertTexts[alert])}
        isChecked={alerts[alert] === true}
        isOptional
      />
    ))
  const everybody = offered.filter((alert) => permissionOf(alert) === null)
  const staff = offered.filter((alert) => permissionOf(alert) !== null)
  return (
    <PostForm action={paths.browserPush}>
      <section class="block" aria-labelledby="kinds">
        <h2 id="kinds">{t('settings.push.showWhen')}</h2>
        {boxes(everybody)}
        <SelectField
          name="policy"
          label={t('settings.push.fromWhom')}
          value={policy}
          options={pushPolicies.map((value) => ({ value, text: t(policyTexts[value]) }))}
        />
      </section>
      {staff.length > 0 && (
        <section class="block" aria-labelledby="staff">
          <h2 id="staff">{t('settings.emailNotifications.asModerator')}</h2>
          {boxes(staff)}
        </section>
      )}
      <div class="save">
        <Button>{t('common.save')}</Button>
      </div>
    </PostForm>
  )
}
