/** Data of a notification that the browser shows: the page it opens, and the id of the notification on the server. */
export interface Shown {
  readonly path: string
  readonly id: number
}

/** A pushed message as browsers show it: title and options of a notification. */
export interface PushedMessage {
  readonly title: string
  readonly body: string
  readonly icon?: string
  /** A later message with it replaces this one. */
  readonly tag?: string
  readonly lang?: string
  readonly dir: 'auto'
  readonly data: Shown
}

/**
 * Reads a message of the server (`presentPush`). Texts are the server's, in the language of the reader. Paths are of this
 * server; a message that cannot be read leads to the notifications.
 */
export function readPushed(text: string, siteName: string): PushedMessage {
  const sent = objectIn(text)
  const words = (name: string) => {
    const value = sent[name]
    return typeof value === 'string' ? value : ''
  }
  const optional = (name: 'icon' | 'tag' | 'lang', value: string) => (value === '' ? {} : { [name]: value })
  const path = words('url')
  const id = Number(sent['notification_id'])
  return {
    title: words('title') || siteName,
    body: words('body'),
    ...optional('icon', words('icon')),
    ...optional('tag', words('tag')),
    ...optional('lang', words('preferred_locale')),
    dir: 'auto',
    data: {
      path: /^\/(?![/\\])/.test(path) ? path : '/notifications',
      id: Number.isSafeInteger(id) ? id : 0,
    },
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch (failure) {
    if (failure instanceof SyntaxError) return {}
    throw failure
  }
}

/**
 * Whether a notification of the browser, by its data, is read: the page at `path` is the one that it opens, or all up to the
 * notification `readId` are read.
 */
export function isRead(
  data: unknown,
  { path, readId }: { readonly path: string; readonly readId: number },
): boolean {
  if (typeof data !== 'object' || data === null) return false
  if ('path' in data && data.path === path) return true
  return 'id' in data && typeof data.id === 'number' && data.id <= readId
}
