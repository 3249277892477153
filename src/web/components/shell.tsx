import type { Child } from 'hono/jsx'
import { assetPath } from '../../lib/assets'
import { useTranslation } from '../i18n/context'
import { type Unread, usePage } from '../page-context'
import { paths } from '../paths'
import type { AccountSummary } from '../site'
import { AccountNoticeBanner } from './account-notice'
import { ClientRoot } from './client-root'
import { Icon, type IconName } from './icon'
import { contentTarget, Head, type HeadProps, WholePage } from './layout'
import { SearchForm } from './search-form'

/** Entries of the navigation. */
export type Place =
  | 'home'
  | 'notifications'
  | 'messages'
  | 'explore'
  | 'bookmarks'
  | 'favourites'
  | 'lists'
  | 'profile'
  | 'you'

export interface ShellProps extends HeadProps {
  /** The entry of the navigation that the page belongs to; null for none. */
  readonly place: Place | null
  /** The account waits for approval: the navigation has the places that are open to it. */
  readonly isWaiting?: boolean
  /** The column at the right of wide screens. Nothing in it is missing elsewhere. */
  readonly side?: Child
  /** Composer, conversation and media viewer have no bar on phones: the keyboard needs the room. */
  readonly isTask?: boolean
  readonly children?: Child
}

/** The frame of every page: navigation, the one column, what stands beside it, and the bar of phones. */
export function Shell(props: ShellProps) {
  const { place, side, isTask = false, children } = props
  const { site, viewer, unread } = usePage()
  const isWaiting = props.isWaiting === true
  const t = useTranslation()
  return (
    <WholePage>
      <Head {...props} sheet="client.css" />
      <body class="shell">
        <a class="skip" href={`#${contentTarget.id}`}>
          {t('layout.skipToContent')}
        </a>
        <header class="nav">
          <a class="brand" href={viewer === null ? paths.front : paths.home}>
            <img src={assetPath('logo.svg')} width="36" height="36" alt="" />
            <span class="word">{site.title}</span>
          </a>
          {viewer === null ? (
            <VisitorNavigation place={place} />
          ) : (
            <MemberNavigation {...{ viewer, place, unread, isWaiting }} />
          )}
        </header>
        <main class={isTask ? 'column task' : 'column'} {...contentTarget}>
          <AccountNoticeBanner />
          {children}
        </main>
        <aside class="side" aria-label={t('client.more')}>
          {side === undefined && viewer !== null && !isWaiting && <SearchForm />}
          {side}
          <Foot />
        </aside>
        {!isTask && (viewer === null ? <JoinBar /> : <Bar {...{ viewer, place, unread, isWaiting }} />)}
        <ClientRoot />
      </body>
    </WholePage>
  )
}

interface NavigationProps {
  readonly viewer: AccountSummary
  readonly place: Place | null
  readonly unread: Unread
  readonly isWaiting: boolean
}

function MemberNavigation({ viewer, place, unread, isWaiting }: NavigationProps) {
  const t = useTranslation()
  const profile = `/@${viewer.acct}`
  if (isWaiting) return <WaitingNavigation place={place} />
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
      <a class="item me" href={profile}>
        <img class="avatar s" src={viewer.avatarUrl} width="32" height="32" alt="" />
        <span class="word">
          <bdi>{viewer.displayName}</bdi>
        </span>
      </a>
    </>
  )
}

function WaitingNavigation({ place }: Pick<NavigationProps, 'place'>) {
  const t = useTranslation()
  return (
    <nav aria-label={t('client.main')}>
      <Item icon="house" href={paths.home} label={t('client.home')} isCurrent={place === 'home'} />
      <Item icon="menu" href={paths.menu} label={t('client.more')} isCurrent={place === 'you'} />
    </nav>
  )
}

function VisitorNavigation({ place }: { readonly place: Place | null }) {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <>
      <nav aria-label={t('client.main')}>
        <Item
          icon="house"
          href={paths.front}
          label={t('client.aboutSite', { site: site.title })}
          isCurrent={false}
        />
        {site.places.length > 0 && (
          <Item
            icon="compass"
            href={paths.explore}
            label={t('common.explore')}
            isCurrent={place === 'explore'}
          />
        )}
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

/** Five places at the foot of a phone; two for an account that waits. */
function Bar({ viewer, place, unread, isWaiting }: NavigationProps) {
  const t = useTranslation()
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
          <img class="avatar" src={viewer.avatarUrl} alt="" width="28" height="28" />
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
        {t('client.join')}
      </a>
    </nav>
  )
}

export function Foot() {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <footer class="foot">
      <a href={paths.about}>{t('common.about')}</a>
      <a href={paths.rules}>{t('client.rules')}</a>
      <a href={paths.privacy}>{t('layout.privacy')}</a>
      {site.hasTerms && <a href={paths.terms}>{t('layout.terms')}</a>}
      {/* The licence (AGPL) asks that every visitor is offered the source. */}
      <a href={site.sourceUrl} rel="noopener">
        {t('status.sourceCode')}
      </a>
      <p>{t('client.domainRunsFieldfareVersion', { domain: site.domain, version: site.version })}</p>
    </footer>
  )
}

export interface ViewHeadProps {
  readonly title: string
  /** A line of state below the title. */
  readonly line?: Child
  /** Path of the view above it; the arrow before the title leads there. */
  readonly back?: string
  /** Views with tabs hide the title from sight alone. */
  readonly tabs?: Child
  readonly children?: Child
}

/** The head of a view: always there, always at the same height. */
export function ViewHead({ title, line, back, tabs, children }: ViewHeadProps) {
  const t = useTranslation()
  return (
    <div class="head">
      {back !== undefined && (
        <a class="plain" href={back} aria-label={t('directory.back')}>
          <Icon name="arrow-left" />
        </a>
      )}
      <h1 class={tabs === undefined ? undefined : 'hidden'}>
        {title}
        {line !== undefined && <small>{line}</small>}
      </h1>
      {tabs}
      {children}
    </div>
  )
}

export interface TabsProps {
  readonly label: string
  readonly tabs: readonly { readonly href: string; readonly label: string; readonly isCurrent: boolean }[]
}

export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, label: words, isCurrent }) => (
        <a href={href} aria-current={isCurrent ? 'page' : undefined}>
          {words}
        </a>
      ))}
    </nav>
  )
}

/** Picture and sentence of an empty view. */
export function Empty({ title, children }: { readonly title: string; readonly children?: Child }) {
  return (
    <div class="empty">
      <img src={assetPath('logo.svg')} alt="" width="88" height="88" />
      <h2>{title}</h2>
      {children}
    </div>
  )
}
