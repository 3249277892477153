const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

export interface DayProps {
  readonly at: Date
}

export function Day({ at }: DayProps) {
  return <time datetime={at.toISOString()}>{format.format(at)}</time>
}
