import { CsrfField } from '../../components/form'
import { Icon } from '../../components/icon'
import { MenuButton, MenuLink } from '../../components/menu-rows'
import { Empty, Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { MorePeople, PersonLine } from '../../people/people-list'
import { usePosts } from '../../posts/context'
import { NotificationGroupView } from '../../posts/notification-group'
import type { GroupView } from '../../posts/notification-view'
import type { PersonView, PostView } from '../../posts/post-view'

/** Sender whose notifications are held back. */
export interface SenderView {
  readonly id: string
  readonly person: PersonView
  readonly count: number
  /** The post of the latest notification about one, as far as the member may see it. */
  readonly lastPost: PostView | null
}

export interface FilteredNotificationsPageProps {
  readonly senders: readonly SenderView[]
  readonly olderUrl: string | null
}

/** The people whose notifications are held back. */
export function FilteredNotificationsPage({ senders, olderUrl }: FilteredNotificationsPageProps) {
  const t = useTranslation()
  const title = t('client.filteredNotifications')
  return (
    <Shell title={title} place="notifications" isPrivate>
      <ViewHead title={title} back={paths.notifications}>
        <Choices senders={senders} />
      </ViewHead>
      {senders.length === 0 ? (
        <Empty title={t('client.nothingHereYet')}>
          <p>{t('client.filteredNotificationsOfPeople')}</p>
        </Empty>
      ) : (
        <ul class="rows">
          {senders.map((sender) => (
            <li class="person">
              <Sender sender={sender} />
            </li>
          ))}
        </ul>
      )}
      <MorePeople newestUrl={null} olderUrl={olderUrl} />
    </Shell>
  )
}

/** Decides about all of the page at once, and leads to the settings that hold them back. */
function Choices({ senders }: Pick<FilteredNotificationsPageProps, 'senders'>) {
  const t = useTranslation()
  const { returnTo } = usePosts()
  return (
    <details class="menu">
      <summary class="plain" aria-label={t('client.choicesForFilteredNotifications')}>
        <Icon name="ellipsis" />
      </summary>
      <form class="sheet" method="post" action={paths.filteredNotifications}>
        <CsrfField />
        <input type="hidden" name="return_to" value={returnTo} />
        <input type="hidden" name="ids" value={senders.map(({ id }) => id).join(',')} />
        {senders.length > 0 && (
          <>
            <MenuButton
              icon="check"
              act="accept"
              label={t('client.acceptAll')}
              hint={t('client.acceptThemHint')}
            />
            <MenuButton
              icon="trash-2"
              act="dismiss"
              label={t('client.dismissAll')}
              hint={t('client.dismissNotificationsHint')}
              isDangerous
            />
          </>
        )}
        <MenuLink icon="shield" href={paths.whoNotifies} label={t('settings.notifications.whoMayNotify')} />
      </form>
    </details>
  )
}

function Sender({ sender: { id, person, count, lastPost } }: { readonly sender: SenderView }) {
  const t = useTranslation()
  const { returnTo } = usePosts()
  const { name } = person
  const page = `${paths.filteredNotifications}/${id}`
  const said = lastPost === null ? null : (lastPost.warning ?? lastPost.headline)
  return (
    <>
      <PersonLine person={person} href={page}>
        <small>
          {t('settings.notifications.notifications', { count })}
          {said !== null && (
            <>
              {' · '}
              <bdi>{said}</bdi>
            </>
          )}
        </small>
      </PersonLine>
      <form class="ends" method="post" action={page}>
        <CsrfField />
        <input type="hidden" name="return_to" value={returnTo} />
        <button type="submit" class="button low main" name="act" value="accept">
          {t('client.accept')}
          <span class="hidden"> {name}</span>
        </button>
        <button type="submit" class="plain" name="act" value="dismiss">
          <Icon name="x" />
          <span class="hidden">{t('client.dismissName', { name })}</span>
        </button>
      </form>
    </>
  )
}

export interface FilteredSenderPageProps {
  readonly sender: SenderView
  readonly entries: readonly GroupView[]
  readonly olderUrl: string | null
}

/** The notifications of one person that are held back. */
export function FilteredSenderPage({ sender, entries, olderUrl }: FilteredSenderPageProps) {
  const t = useTranslation()
  const { id, person, count } = sender
  return (
    <Shell title={t('client.filteredNotifications')} place="notifications" isPrivate>
      <ViewHead
        title={person.name}
        line={t('settings.notifications.notifications', { count })}
        back={paths.filteredNotifications}
      />
      <form class="pad two" method="post" action={`${paths.filteredNotifications}/${id}`}>
        <CsrfField />
        <input type="hidden" name="return_to" value={paths.filteredNotifications} />
        <button type="submit" class="button low main" name="act" value="accept">
          {t('client.accept')}
        </button>
        <button type="submit" class="button low" name="act" value="dismiss">
          {t('client.dismiss')}
        </button>
      </form>
      {entries.map((entry) => (
        <NotificationGroupView group={entry} isUnread={false} />
      ))}
      {olderUrl !== null && (
        <p class="pad">
          <a class="button" href={olderUrl} rel="next">
            {t('client.olderNotifications')}
          </a>
        </p>
      )}
    </Shell>
  )
}
