/** A document that cannot be taken for what it was read as, and why: for the log, never for a person. */
export interface Unreadable {
  readonly unreadable: string
}

export function unreadable(reason: string): Unreadable {
  return { unreadable: reason }
}

export function isUnreadable<Read extends object>(read: Read | Unreadable): read is Unreadable {
  return 'unreadable' in read
}
