/** A document that cannot be parsed, and the reason: for logs only, not shown to users. */
export interface Unreadable {
  readonly unreadable: string
}

export function unreadable(reason: string): Unreadable {
  return { unreadable: reason }
}

export function isUnreadable<Read extends object>(read: Read | Unreadable): read is Unreadable {
  return 'unreadable' in read
}
