import { localeOf } from '../../../lib/date-words'
import { keptBy } from '../../../lib/kept-by'
import { Icon } from '../../components/icon'
import { useReader, useTranslation } from '../../i18n/context'
import type { Reader } from '../../i18n/reader'
import { dateFormat } from '../../posts/age'
import { PostContent } from '../../posts/post'
import type { PostView } from '../../posts/post-view'
import { Face } from './list'
import { type Turn, talkDays } from './view'

export interface TalkProps {
  readonly posts: readonly PostView[]
  readonly now: Date
}

/** Messages as bubbles, by day and by person, the latest last. */
export function Talk({ posts, now }: TalkProps) {
  const reader = useReader()
  const format = dateFormat(reader, 'key', { day: '2-digit', month: '2-digit', year: 'numeric' })
  const days = talkDays(posts, (at) => format.format(at))
  const names = [now, new Date(now.getTime() - 86_400_000)].map((at) => format.format(at))
  return (
    <>
      {days.map(({ at, turns }) => (
        <>
          <p class="day">{dayWords(reader, at, names.indexOf(format.format(at)), now)}</p>
          {turns.map((turn) => (
            <TurnOf turn={turn} />
          ))}
        </>
      ))}
    </>
  )
}

const relativeDays = keptBy<Intl.RelativeTimeFormat>()

/** Today, yesterday (`daysAgo` 0 and 1), or the date. */
function dayWords(reader: Reader, at: Date, daysAgo: number, now: Date): string {
  if (daysAgo >= 0) {
    const make = () => new Intl.RelativeTimeFormat(localeOf(reader.language), { numeric: 'auto' })
    return relativeDays(reader.language, make).format(-daysAgo, 'day')
  }
  const isThisYear = at.getUTCFullYear() === now.getUTCFullYear()
  const date = dateFormat(reader, `talk ${isThisYear}`, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
  return date.format(at)
}

function TurnOf({ turn: { author, isOwn, posts } }: { readonly turn: Turn }) {
  const t = useTranslation()
  return (
    <div class={isOwn ? 'said-by mine' : 'said-by'}>
      {!isOwn && <Face person={author} isSmall />}
      <div class="bubbles">
        <span class="hidden">{isOwn ? t('client.you') : author.name}:</span>
        {posts.map((post) => (
          <Bubble post={post} />
        ))}
      </div>
      {posts.slice(-1).map((last) => (
        <p class="when">
          <TimeOfDay post={last} />
        </p>
      ))}
    </div>
  )
}

/** The time of day of a message, the link to its post. */
function TimeOfDay({ post: { path, createdAt } }: { readonly post: PostView }) {
  const reader = useReader()
  const full = dateFormat(reader, 'full', { dateStyle: 'long', timeStyle: 'short' })
  return (
    <a href={path} title={full.format(createdAt)}>
      <time datetime={createdAt.toISOString()}>
        {dateFormat(reader, 'time', { timeStyle: 'short' }).format(createdAt)}
      </time>
    </a>
  )
}

function Bubble({ post }: { readonly post: PostView }) {
  const t = useTranslation()
  const { filter, entryId } = post
  const isFolded = filter !== null && !filter.isBlur
  return (
    <div class="bubble" id={`p-${entryId}`} dir="auto">
      {isFolded ? (
        <details class="filtered">
          <summary>
            <Icon name="funnel" />
            <span>{t('client.filteredName', { name: filter.title })}</span>
            <b>{t('client.showAnyway')}</b>
          </summary>
          <PostContent post={post} />
        </details>
      ) : (
        <PostContent post={post} />
      )}
    </div>
  )
}
