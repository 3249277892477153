import type { Child } from 'hono/jsx'
import { smallAvatar } from '../../contract/small-avatars'
import { explorePages } from '../explore-places'
import { useTranslation } from '../i18n/context'
import { type MenuSection, usePage } from '../page-context'
import { paths } from '../paths'
import type { AccountSummary } from '../site'
import { Icon, type IconName } from './icon'

/** Entries of the navigation. */
export type Place =
  | 'home'
  | 'notifications'
  | 'messages'
  | 'explore'
  | 'people'
  | 'local'
  | 'bookmarks'
  | 'favourites'
  | 'lists'
  | 'profile'
  | 'you'

export interface NavigationProps {
  readonly place: Place | null
}

/** Entries of the navigation at the side, by what the reader may open. */
export function Navigation({ place }: NavigationProps) {
  const { viewer, standing } = usePage()
  if (standing === 'confined')
    return viewer === null ? null : (
      <>
        <Me viewer={viewer} isLink={false} />
        <SwitchLink />
      </>
    )
  if (viewer === null) return <VisitorNavigation place={place} />
  if (standing === 'waiting') return <WaitingNavigation place={place} />
  return <MemberNavigation {...{ viewer, place }} />
}

interface MemberNavigationProps extends NavigationProps {
  readonly viewer: AccountSummary
}

function MemberNavigation({ viewer, place }: MemberNavigationProps) {
  const t = useTranslation()
  const { unread } = usePage()
  const profile = `/@${viewer.acct}`
  return (
    <>
      <nav aria-label={t('client.main')}>
        <Item icon="house" href={paths.home} label={t('client.home')} isCurrent={place === 'home'} />
        <Item
          icon="bell"
          href={paths.notifications}
          label={t('client.notifications')}
          isCurrent={place === 'notifications'}
          count={unread.notifications}
        />
        <Item
          icon="compass"
          href={paths.explore}
          label={t('common.explore')}
          isCurrent={place === 'explore'}
        />
        <Item
          icon="mail"
          href={paths.conversations}
          label={t('client.messages')}
          isCurrent={place === 'messages'}
          count={unread.conversations}
        />
        <Item
          icon="bookmark"
          href={paths.bookmarks}
          label={t('client.bookmarks')}
          isCurrent={place === 'bookmarks'}
        />
        <Item
          icon="star"
          href={paths.favourites}
          label={t('client.favourites')}
          isCurrent={place === 'favourites'}
        />
        <Item
          icon="list"
          href={paths.listsOfMember}
          label={t('client.lists')}
          isCurrent={place === 'lists'}
        />
        <Item icon="circle-user" href={profile} label={t('common.profile')} isCurrent={place === 'profile'} />
        <Item icon="menu" href={paths.menu} label={t('client.more')} isCurrent={place === 'you'} />
      </nav>
      <a class="button main write" href={paths.publish}>
        <Icon name="feather" />
        <span class="word">{t('client.newPost')}</span>
      </a>
      <Me viewer={viewer} />
      <SwitchLink />
    </>
  )
}

/** Leads to the other accounts of the browser, where there are any. */
function SwitchLink() {
  const t = useTranslation()
  const { hasSeveralAccounts } = usePage()
  if (!hasSeveralAccounts) return null
  return <Item icon="users" href={paths.accounts} label={t('accounts.switch')} isCurrent={false} />
}

interface MeProps {
  readonly viewer: AccountSummary
  /** False where the account may not open its page. */
  readonly isLink?: boolean
}

function Me({ viewer, isLink = true }: MeProps) {
  const inside = (
    <>
      <img class="avatar s" src={smallAvatar(viewer.avatarUrl)} width="32" height="32" alt="" />
      <span class="word">
        <bdi>{viewer.displayName}</bdi>
      </span>
    </>
  )
  if (!isLink) return <p class="item me">{inside}</p>
  return (
    <a class="item me" href={`/@${viewer.acct}`}>
      {inside}
    </a>
  )
}

export interface PlaceMenuProps {
  /** Name of the place, as that of its own page. */
  readonly label: string
  readonly sections: readonly MenuSection[]
  /** Path of the entry that is marked. */
  readonly current: string
}

/** Entries of a place with a menu of its own, as settings, in the stead of those of the navigation. */
export function PlaceMenu({ label, sections, current }: PlaceMenuProps) {
  const t = useTranslation()
  const { viewer } = usePage()
  if (sections.length === 0) return <Navigation place={null} />
  return (
    <>
      <a class="item" href={paths.home}>
        <Icon name="arrow-left" />
        <span class="word">{t('client.home')}</span>
      </a>
      <nav class="sub" aria-label={label}>
        <p class="place">{label}</p>
        {sections.map(({ heading, entries }) => (
          <>
            <p class="heading">{t(heading)}</p>
            {entries.map(({ path, label: text }) => (
              <a class="item" href={path} aria-current={path === current ? 'page' : undefined}>
                {t(text)}
              </a>
            ))}
          </>
        ))}
      </nav>
      {viewer !== null && <Me viewer={viewer} />}
      <SwitchLink />
    </>
  )
}

function WaitingNavigation({ place }: NavigationProps) {
  const t = useTranslation()
  return (
    <nav aria-label={t('client.main')}>
      <Item icon="house" href={paths.home} label={t('client.home')} isCurrent={place === 'home'} />
      <Item icon="menu" href={paths.menu} label={t('client.more')} isCurrent={place === 'you'} />
    </nav>
  )
}

/** Entries for visitors, each where the server opens its page to them. */
const visitorEntries = [
  { open: 'trends', entry: 'explore', icon: 'compass', label: 'common.explore' },
  { open: 'people', entry: 'people', icon: 'users', label: 'landing.peopleHere' },
  { open: 'local', entry: 'local', icon: 'globe', label: 'client.localTimeline' },
] as const

function VisitorNavigation({ place }: NavigationProps) {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <>
      <nav aria-label={t('client.main')}>
        {visitorEntries.map(
          ({ open, entry, icon, label }) =>
            site.places.includes(open) && (
              <Item icon={icon} href={explorePages[open].path} label={t(label)} isCurrent={place === entry} />
            ),
        )}
        <Item
          icon="feather"
          href={paths.front}
          label={t('client.aboutSite', { site: site.title })}
          isCurrent={false}
        />
      </nav>
      <a class="button main write" href={paths.signIn}>
        <Icon name="circle-user" />
        <span class="word">{t('common.signIn')}</span>
      </a>
    </>
  )
}

interface ItemProps {
  readonly icon: IconName
  readonly href: string
  readonly label: string
  readonly isCurrent: boolean
  readonly count?: number
}

function Item({ icon, href, label, isCurrent, count = 0 }: ItemProps) {
  return (
    <a
      class="item"
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      data-unread={count || undefined}
    >
      <Icon name={icon} />
      <span class="word">{label}</span>
      <Count count={count} />
    </a>
  )
}

/** Entries that wait, as numbers up to 99. */
export function Count({ count }: { readonly count: number }) {
  const t = useTranslation()
  if (count === 0) return null
  return (
    <span class="count">
      {count > 99 ? '99+' : t('common.count', { count })}
      <span class="hidden"> {t('client.unread')}</span>
    </span>
  )
}

/** The foot of a phone, by what the reader may open. */
export function FootBar({ place }: NavigationProps) {
  const { viewer, standing } = usePage()
  if (standing === 'confined') return null
  return viewer === null ? <JoinBar /> : <Bar {...{ viewer, place }} />
}

/** Five places; two for an account that waits. */
function Bar({ viewer, place }: MemberNavigationProps) {
  const t = useTranslation()
  const { unread, standing } = usePage()
  const isWaiting = standing === 'waiting'
  return (
    <nav class="bar" aria-label={t('client.shortcuts')}>
      <ul>
        <BarItem href={paths.home} label={t('client.home')} isCurrent={place === 'home'}>
          <Icon name="house" />
        </BarItem>
        {!isWaiting && (
          <>
            <BarItem href={paths.search} label={t('client.search')} isCurrent={place === 'explore'}>
              <Icon name="search" />
            </BarItem>
            <BarItem href={paths.publish} label={t('client.newPost')} isCurrent={false}>
              <span class="pen">
                <Icon name="feather" />
              </span>
            </BarItem>
            <BarItem
              href={paths.notifications}
              label={t('client.notifications')}
              isCurrent={place === 'notifications'}
              count={unread.notifications}
            >
              <Icon name="bell" />
            </BarItem>
          </>
        )}
        <BarItem href={paths.menu} label={t('client.you')} isCurrent={place === 'you'}>
          <img class="avatar" src={smallAvatar(viewer.avatarUrl)} alt="" width="28" height="28" />
        </BarItem>
      </ul>
    </nav>
  )
}

interface BarItemProps {
  readonly href: string
  readonly label: string
  readonly isCurrent: boolean
  readonly count?: number
  readonly children: Child
}

function BarItem({ href, label, isCurrent, count = 0, children }: BarItemProps) {
  return (
    <li>
      <a href={href} aria-current={isCurrent ? 'page' : undefined} data-unread={count || undefined}>
        <span class="hidden">{label}</span>
        {children}
        <Count count={count} />
      </a>
    </li>
  )
}

/** Sign-in and sign-up at the foot of a phone, for visitors. */
function JoinBar() {
  const t = useTranslation()
  return (
    <nav class="signed-out" aria-label={t('common.signIn')}>
      <a class="button" href={paths.signIn}>
        {t('common.signIn')}
      </a>
      <a class="button main" href={paths.signUp}>
        {t('common.signUp')}
      </a>
    </nav>
  )
}

/** Sign-up and sign-in, at the right of wide screens. */
export function JoinCard() {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <section class="join" aria-labelledby="join">
      <h2 id="join">{site.title}</h2>
      <a class="button main" href={paths.signUp}>
        {t('common.signUp')}
      </a>
      <a class="button" href={paths.signIn}>
        {t('common.signIn')}
      </a>
      <p class="small quiet">{t('client.onAnotherServer')}</p>
    </section>
  )
}
