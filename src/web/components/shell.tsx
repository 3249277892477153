import type { Child } from 'hono/jsx'
import type { Asset } from '../../lib/assets'
import { useTranslation } from '../i18n/context'
import { usePage } from '../page-context'
import { paths } from '../paths'
import { AccountNoticeBanner } from './account-notice'
import { ClientRoot } from './client-root'
import { contentTarget, Head, type HeadProps, WholePage } from './head'
import { Icon } from './icon'
import { Logo } from './logo'
import { FootBar, JoinCard, Navigation, type Place } from './navigation'
import { SearchForm } from './search-form'

export interface ShellProps extends HeadProps {
  /** The entry of the navigation that the page belongs to; null for none. */
  readonly place: Place | null
  /** Style of the page, if it needs more than that of the client. */
  readonly sheets?: readonly Asset[]
  /** Entries of a place with a menu of its own, in the stead of those of the navigation. */
  readonly menu?: Child
  /** `wide`: the column takes the room of the one at the right, `columns`: all the room there is. `alone`: a form with one errand, without ways off it. */
  readonly frame?: 'wide' | 'alone' | 'columns'
  /** The column at the right of wide screens; null for none, false for the foot alone. Nothing in it is missing elsewhere. */
  readonly side?: Child
  /** Composer, conversation and media viewer have no bar on phones: the keyboard needs the room. */
  readonly isTask?: boolean
  /** The foot of the site stands below the content where there is no column at the right. */
  readonly hasFoot?: boolean
  readonly children?: Child
}

/** The frame of every page: navigation, the one column, what stands beside it, and the bar of phones. */
export function Shell(props: ShellProps) {
  const { place, menu, frame, side, isTask = false, children } = props
  const { site, viewer, standing, isColumn } = usePage()
  const { hasFoot = viewer === null } = props
  const t = useTranslation()
  const isAlone = frame === 'alone'
  const leadsHome = !isAlone && (standing === 'member' || standing === 'waiting')
  const classes = ['shell', frame, menu === undefined ? undefined : 'own-menu']
  return (
    <WholePage>
      <Head {...props} />
      <body class={classes.filter(Boolean).join(' ')}>
        <a class="skip" href={`#${contentTarget.id}`}>
          {t('layout.skipToContent')}
        </a>
        {!isColumn && (
          <header class="nav">
            <a class="brand" href={leadsHome ? paths.home : paths.front}>
              <Logo side={36} />
              <span class="word">{site.title}</span>
            </a>
            {menu ?? (!isAlone && <Navigation place={place} />)}
          </header>
        )}
        <main class={isTask ? 'column task' : 'column'} {...contentTarget}>
          <AccountNoticeBanner />
          {children}
          {hasFoot && (
            <div class="pad below">
              <Foot />
            </div>
          )}
        </main>
        {frame === undefined && side !== null && !isColumn && (
          <aside class="side" aria-label={t('client.more')}>
            {side}
            {side === undefined && standing === 'member' && <SearchForm />}
            {side === undefined && viewer === null && <JoinCard />}
            <Foot />
          </aside>
        )}
        {!isTask && !isAlone && !isColumn && <FootBar place={place} />}
        <ClientRoot />
      </body>
    </WholePage>
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
  readonly title: Child
  /** A line of state below the title. */
  readonly line?: Child
  /** Path of the view above it; the arrow before the title leads there. */
  readonly back?: string | undefined
  /** Views with tabs hide the title from sight alone. */
  readonly tabs?: Child
  /** Shows members the logo on phones, where they have no navigation either. */
  readonly hasMark?: boolean
  readonly children?: Child
}

/** The head of a view: always there, always at the same height. */
export function ViewHead({ title, line, back, tabs, hasMark = false, children }: ViewHeadProps) {
  const t = useTranslation()
  const { site, viewer } = usePage()
  return (
    <div class="head">
      {back !== undefined ? (
        <a class="plain back" href={back} aria-label={t('directory.back')}>
          <Icon name="arrow-left" />
        </a>
      ) : (
        (hasMark || viewer === null) && (
          <a class="phone" href={paths.front} aria-label={site.title}>
            <Logo class="mark" side={32} />
          </a>
        )
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
      <Logo side={88} />
      <h2>{title}</h2>
      {children}
    </div>
  )
}
