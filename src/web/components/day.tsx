const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const minute = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

export interface DayProps {
  readonly at: Date
  /** To the minute. Pages cannot know where they are read, so they say UTC. */
  readonly withTime?: boolean
}

export function Day({ at, withTime = false }: DayProps) {
  return <time datetime={at.toISOString()}>{withTime ? `${minute.format(at)} UTC` : day.format(at)}</time>
}
