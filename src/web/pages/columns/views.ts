import type { ListRow } from '../../../domain/lists/edit'
import type { TextKey } from '../../../lib/translate'
import type { PageTranslate } from '../../i18n/context'
import { paths } from '../../paths'

/** Columns that stand side by side at most. */
export const mostColumns = 4

/** Followed hashtags that are offered as columns. */
export const mostTags = 40

/** A view that can be a column. */
export interface ColumnView {
  /** Name by which the choice is saved. */
  readonly key: string
  readonly path: string
  readonly label: string
}

const places: Readonly<Record<string, { readonly path: string; readonly label: TextKey }>> = {
  home: { path: paths.home, label: 'client.home' },
  'home-and-local': { path: paths.homeAndLocal, label: 'client.columns.homeAndLocal' },
  local: { path: paths.posts, label: 'client.local' },
  all: { path: paths.allPosts, label: 'client.federated' },
  notifications: { path: paths.notifications, label: 'client.notifications' },
  messages: { path: paths.conversations, label: 'client.messages' },
  explore: { path: paths.explore, label: 'common.explore' },
  bookmarks: { path: paths.bookmarks, label: 'client.bookmarks' },
  favourites: { path: paths.favourites, label: 'client.favourites' },
}

const firstColumns = ['home', 'notifications', 'local']

export interface ColumnSources {
  readonly lists: readonly Pick<ListRow, 'id' | 'title'>[]
  readonly tags: readonly string[]
  /** Places that this server opens to the member, as its timelines. */
  readonly places: readonly string[]
}

/** Views that a member can choose as columns. */
export function offeredViews(
  t: PageTranslate,
  { lists, tags, places: open }: ColumnSources,
): readonly ColumnView[] {
  const named = Object.entries(places).filter(([key]) => !isTimeline(key) || open.includes(key))
  return [
    ...named.map(([key, { path, label }]) => ({ key, path, label: t(label) })),
    ...lists.map(({ id, title }) => ({
      key: `list:${id}`,
      path: `${paths.listsOfMember}/${id}`,
      label: title,
    })),
    ...tags.map((name) => ({
      key: `tag:${name}`,
      path: `${paths.tags}/${encodeURIComponent(name)}`,
      label: `#${name}`,
    })),
  ]
}

function isTimeline(key: string): boolean {
  return key === 'local' || key === 'all'
}

/** The chosen views among those offered, in their order: a list that was deleted since is left out. */
export function columnsOf(
  chosen: readonly string[] | null,
  offered: readonly ColumnView[],
): readonly ColumnView[] {
  return (chosen ?? firstColumns).flatMap((key) => offered.find((view) => view.key === key) ?? [])
}
