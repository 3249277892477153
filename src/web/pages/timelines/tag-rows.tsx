import type { Tag } from '../../../contract/entities/tag'
import { useTranslation } from '../../i18n/context'
import { FollowTag, recentPeople, tagPath } from './follow-tag'

/** Hashtags one below the other, each with its last days and its button. */
export function TagRows({ tags }: { readonly tags: readonly Tag[] }) {
  return (
    <ul class="rows">
      {tags.map((tag) => (
        <li>
          <TagRow tag={tag} />
        </li>
      ))}
    </ul>
  )
}

function TagRow({ tag }: { readonly tag: Tag }) {
  const t = useTranslation()
  const people = recentPeople(tag)
  return (
    <div class="trend">
      <a class="names" href={tagPath(tag.name)}>
        <b>
          <bdi>#{tag.name}</bdi>
        </b>
        {people > 0 && <small>{t('client.personInThePastTwoDays', { count: people })}</small>}
      </a>
      <Week history={tag.history} />
      <FollowTag tag={tag} />
    </div>
  )
}

const size = { width: 80, height: 32 } as const

/** A line of the people who used a hashtag on each of seven days, the last at its end. */
function Week({ history }: Pick<Tag, 'history'>) {
  const days = history.map(({ accounts }) => Number(accounts)).toReversed()
  const most = Math.max(...days)
  if (most <= 0) return null
  const step = size.width / (days.length - 1)
  const line = days.map((count, day) => {
    const y = size.height - 2 - (count / most) * (size.height - 6)
    return `${(day * step).toFixed(1)} ${y.toFixed(1)}`
  })
  const top = `M${line.join('L')}`
  return (
    <svg class="spark" viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
      <path class="area-fill" d={`${top}L${size.width} ${size.height}L0 ${size.height}Z`} />
      <path d={top} />
    </svg>
  )
}
