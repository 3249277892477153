import type { Child } from 'hono/jsx'
import type { TextKey } from '../../../lib/translate'
import { Icon } from '../../components/icon'
import { Problems } from '../../components/problems'
import { SearchForm } from '../../components/search-form'
import { Empty, Shell, Tabs } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
import { paths } from '../../paths'
import { PeopleList } from '../../people/people-list'
import { Feed } from '../../posts/feed'
import { TagRows } from '../timelines/tag-rows'
import { moreUrl, type SearchAsked, type SearchFound, searchUrl } from './asked'

export interface SearchPageProps {
  readonly now: Date
  readonly asked: SearchAsked
  /** Null before anything was asked for, and where the text is no search. */
  readonly found: SearchFound | null
}

export function SearchPage({ asked, found, now }: SearchPageProps) {
  const isRefused = usePage().errors.form !== undefined
  const t = useTranslation()
  const title = asked.text === '' ? t('client.search') : `${asked.text} · ${t('client.search')}`
  return (
    <Shell title={title} place="explore" side={<Operators now={now} />} isPrivate>
      <div class="head">
        <h1 class="hidden">{t('client.search')}</h1>
        <SearchForm text={asked.text} type={asked.type ?? ''} />
      </div>
      {asked.text !== '' && <Kinds asked={asked} />}
      {isRefused && (
        <div class="pad">
          <Problems />
        </div>
      )}
      {found === null ? <Start now={now} /> : <Results asked={asked} found={found} />}
    </Shell>
  )
}

function Kinds({ asked }: { readonly asked: SearchAsked }) {
  const t = useTranslation()
  const kinds = [
    [null, t('client.all')],
    ['accounts', t('client.people')],
    ['statuses', t('client.posts')],
    ['hashtags', t('client.hashtags')],
  ] as const
  const tabs = kinds.map(([type, label]) => ({
    href: searchUrl({ text: asked.text, type, offset: 0 }),
    label,
    isCurrent: type === asked.type,
  }))
  return <Tabs label={t('client.kindsOfResults')} tabs={tabs} />
}

/** Hints before anything is typed. On phones they hold the operators, too. */
function Start({ now }: { readonly now: Date }) {
  const t = useTranslation()
  return (
    <>
      <RecentSearches />
      <div class="pad">
        <p class="quiet small">{t('client.pasteAnAddress')}</p>
        <div class="beside">
          <Operators now={now} />
        </div>
      </div>
    </>
  )
}

/** Searches that this browser keeps: scripts fill the list. */
function RecentSearches() {
  const t = useTranslation()
  return (
    <section aria-labelledby="recent" data-recent hidden>
      <div class="section-head">
        <h2 id="recent">{t('client.recentSearches')}</h2>
        <button type="button" class="link">
          {t('client.clearRecentSearches')}
        </button>
      </div>
      <ul class="rows" />
      <template>
        <li class="person">
          <Icon name="history" />
          <span class="names">
            <a href={paths.search}>{t('client.search')}</a>
          </span>
          <button type="button" class="plain" aria-label={t('client.removeFromRecentSearches')}>
            <Icon name="x" />
          </button>
        </li>
      </template>
    </section>
  )
}

interface ResultsProps {
  readonly asked: SearchAsked
  readonly found: SearchFound
}

function Results({ asked, found }: ResultsProps) {
  const t = useTranslation()
  const { people, posts, tags } = found
  const more = moreUrl(asked, found)
  if (people.length + posts.length + tags.length === 0) return <NoResults asked={asked} />
  return (
    <>
      {people.length > 0 && (
        <Part asked={asked} type="accounts" title={t('client.people')} all={t('client.allPeople')}>
          <PeopleList people={people} />
        </Part>
      )}
      {tags.length > 0 && (
        <Part asked={asked} type="hashtags" title={t('client.hashtags')} all={t('client.allHashtags')}>
          <TagRows tags={tags} />
        </Part>
      )}
      {posts.length > 0 && (
        <Part asked={asked} type="statuses" title={t('client.posts')} all={t('client.allPosts')}>
          <Feed label={t('client.posts')} posts={posts} />
        </Part>
      )}
      {more !== null && (
        <p class="pad">
          <a class="button" href={more} rel="next">
            {t('client.moreResults')}
          </a>
        </p>
      )}
    </>
  )
}

interface PartProps {
  readonly asked: SearchAsked
  readonly type: NonNullable<SearchAsked['type']>
  readonly title: string
  /** Words of the link to all results of the kind. */
  readonly all: string
  readonly children: Child
}

function Part({ asked, type, title, all, children }: PartProps) {
  if (asked.type !== null) return <>{children}</>
  return (
    <section aria-labelledby={`s-${type}`}>
      <div class="section-head">
        <h2 id={`s-${type}`}>{title}</h2>
        <a href={searchUrl({ ...asked, type })}>{all}</a>
      </div>
      {children}
    </section>
  )
}

function NoResults({ asked }: { readonly asked: SearchAsked }) {
  const t = useTranslation()
  return (
    <Empty title={t('client.nothingFoundForText', { text: asked.text })}>
      <p>{t('client.onlyPostsThatServersKnow')}</p>
      {asked.type === 'statuses' && (
        <a class="button" href={searchUrl({ ...asked, type: 'accounts', offset: 0 })}>
          {t('client.searchPeopleInstead')}
        </a>
      )}
    </Empty>
  )
}

/** Words that narrow a search for posts. */
function Operators({ now }: { readonly now: Date }) {
  const t = useTranslation()
  const operators: readonly (readonly [string, TextKey])[] = [
    ['from:me', 'client.op.fromMe'],
    ['from:@name', 'client.op.fromPerson'],
    ['has:media', 'client.op.hasMedia'],
    ['is:reply', 'client.op.isReply'],
    [`before:${now.toISOString().slice(0, 7)}-01`, 'client.op.before'],
    [`language:${t.language}`, 'client.op.language'],
    ['in:library', 'client.op.library'],
  ]
  return (
    <section>
      <h2>{t('client.narrowItDown')}</h2>
      <ul class="rows ops">
        {operators.map(([operator, meaning]) => (
          <li>
            <a href={`${paths.search}?${new URLSearchParams({ q: operator, type: 'statuses' })}`}>
              <code dir="ltr">{operator}</code>
              <small class="quiet">{t(meaning)}</small>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
