import { useReader } from '../../i18n/context'
import { dateFormat } from '../../posts/age'

const nearMilliseconds = 6 * 86_400_000

/** The time a post is scheduled for, in language and time zone of the reader: by its weekday within six days. */
export function ScheduledTime({ at, now }: { readonly at: Date; readonly now: Date }) {
  const reader = useReader()
  const isNear = at.getTime() - now.getTime() < nearMilliseconds
  const time = { hour: '2-digit', minute: '2-digit' } as const
  const format = isNear
    ? dateFormat(reader, 'weekday', { weekday: 'long', ...time })
    : dateFormat(reader, 'day and time', { day: 'numeric', month: 'short', ...time })
  return <time datetime={at.toISOString()}>{format.format(at)}</time>
}
