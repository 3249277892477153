import { Hono } from 'hono'
import { constant, execute } from '../../../db/query'
import { viewerById } from '../../../domain/core/viewer'
import { blockAccount, muteAccount } from '../../../domain/relationships/block'
import { blockDomain, domainBlockPreview } from '../../../domain/relationships/domain-block'
import { findRelationshipPair } from '../../../domain/relationships/find'
import { removeFollower } from '../../../domain/relationships/follow'
import { NotFound } from '../../../errors'
import type { AppEnv } from '../../../ports/app-env'
import { lengthIn } from '../../components/length'
import { useTranslation } from '../../i18n/context'
import { personPagePath } from '../../people/acts'
import { type FormView, type PersonForm, personForm } from './form-page'
import { FormPage } from './form-view'

/** Pages that say what happens, and ask once, before an account or its server is shut out. */
export function personQuestionRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  personForm(app, muting)
  personForm(app, blocking)
  personForm(app, serverBlocking)
  personForm(app, removing)
  return app
}

/** Lengths of a mute in seconds, as Mastodon offers them; 0 is for ever. */
const muteLengths = [0, 300, 1_800, 3_600, 21_600, 86_400, 259_200, 604_800] as const

const withoutData = { fields: () => [], read: () => constant(null) }

const muting: PersonForm<null> = {
  ...withoutData,
  name: 'mute',
  fields: () => ['duration', 'notifications'],
  show: (_ctx, view) => <MutePage view={view} />,
  work: async (ctx, viewer, { id, form }) => {
    const sent = Number(form('duration'))
    await muteAccount(ctx, viewer, id, {
      hideNotifications: form('notifications') === '1',
      durationSeconds: muteLengths.find((seconds) => seconds === sent) ?? 0,
    })
    return null
  },
}

export function MutePage({ view }: { readonly view: FormView<null> }) {
  const t = useTranslation()
  const { typed, profile } = view
  const { name } = profile
  const chosen = Number(typed?.('duration') ?? 0)
  const hidesNotifications = typed === null || typed('notifications') === '1'
  return (
    <FormPage view={view} title={t('client.muteQuestion', { name })} button={t('client.muteName', { name })}>
      <p>{t('client.person.muteEffect', { name })}</p>
      <div class="field">
        <label for="duration">{t('client.person.forHowLong')}</label>
        <select class="input" id="duration" name="duration">
          {muteLengths.map((seconds) => (
            <option value={String(seconds)} selected={seconds === chosen}>
              {seconds === 0 ? t('client.person.untilIUnmute') : lengthIn(t.language, seconds)}
            </option>
          ))}
        </select>
      </div>
      <label class="choice">
        <input type="checkbox" name="notifications" value="1" checked={hidesNotifications} />
        <span>{t('client.person.hideNotificationsToo')}</span>
      </label>
    </FormPage>
  )
}

const blocking: PersonForm<null> = {
  ...withoutData,
  name: 'block',
  show: (_ctx, view) => <BlockPage view={view} />,
  work: async (ctx, viewer, { id }) => {
    await blockAccount(ctx, viewer, id)
    return null
  },
}

export function BlockPage({ view }: { readonly view: FormView<null> }) {
  const t = useTranslation()
  const { profile, back } = view
  const { name, domain } = profile
  return (
    <FormPage
      view={view}
      title={t('client.blockQuestion', { name })}
      button={t('client.blockName', { name })}
      isDangerous
    >
      <ul class="effects">
        <li>{t('client.person.blockHidesPosts', { name })}</li>
        <li>{t('client.person.blockEndsFollows')}</li>
        <li>{t('client.person.blockIsNoticed')}</li>
        <li>{t('client.person.blockCanBeLifted')}</li>
      </ul>
      {domain !== null && (
        <p>
          <a href={personPagePath(profile.id, 'block_server', { returnTo: back })}>
            {t('client.person.blockAllOfDomain', { domain })}
          </a>
        </p>
      )}
    </FormPage>
  )
}

const serverBlocking: PersonForm<null> = {
  ...withoutData,
  name: 'block_server',
  show: async (ctx, view) => {
    const { domain } = view.profile
    if (domain === null) throw new NotFound()
    const as = viewerById(view.session.accountId)
    const preview = await execute(ctx.db, domainBlockPreview(ctx, as, domain))
    return <BlockServerPage view={view} domain={domain} {...preview} />
  },
  work: async (ctx, viewer, { id }) => {
    const { domain } = await findRelationshipPair(ctx, viewer, id)
    if (domain === null) throw new NotFound()
    await blockDomain(ctx, viewer, domain)
    return null
  },
}

export interface BlockServerPageProps {
  readonly view: FormView<null>
  readonly domain: string
  /** Follows that end. */
  readonly following: number
  readonly followers: number
}

export function BlockServerPage({ view, domain, following, followers }: BlockServerPageProps) {
  const t = useTranslation()
  return (
    <FormPage
      view={view}
      title={t('client.person.blockDomainQuestion', { domain })}
      button={t('client.person.blockDomain', { domain })}
      isDangerous
    >
      <ul class="effects">
        <li>{t('client.person.serverBlockHidesPosts', { domain })}</li>
        {following > 0 && <li>{t('client.person.youUnfollowCount', { count: following })}</li>}
        {followers > 0 && <li>{t('client.person.youLoseCountFollowers', { count: followers })}</li>}
        <li>{t('client.person.serverBlockIsYours')}</li>
        <li>{t('client.person.serverBlockCanBeLifted')}</li>
      </ul>
    </FormPage>
  )
}

const removing: PersonForm<null> = {
  ...withoutData,
  name: 'remove_follower',
  show: (_ctx, view) => <RemoveFollowerPage view={view} />,
  work: async (ctx, viewer, { id }) => {
    await removeFollower(ctx, viewer, id)
    return null
  },
}

export function RemoveFollowerPage({ view }: { readonly view: FormView<null> }) {
  const t = useTranslation()
  const { name } = view.profile
  return (
    <FormPage
      view={view}
      title={t('client.person.removeFollowerQuestion', { name })}
      button={t('client.person.removeFollower')}
      isDangerous
    >
      <p>{t('client.person.removeFollowerEffect', { name })}</p>
    </FormPage>
  )
}
