import { hasPermission } from '../../domain/policy/permissions'
import type { WebSession } from '../../domain/sessions/web-session'
import type { TextKey } from '../../lib/translate'
import type { MenuEntry, MenuSection, SettingsMenu } from '../page-context'
import { type MemberPage, type PageAccess, settingsGroups, settingsTopics } from './declaration'

/** The links of one menu that a session gets, in the order that the pages declare. */
export function menuFor(
  pages: readonly MemberPage[],
  kind: MemberPage['kind'],
  session: WebSession,
): readonly MenuEntry[] {
  return placesFor(pages, kind, session).map(({ path, label, order }) => ({ path, label, order }))
}

/** The menu of settings of a session by groups; a group without a link is left out. */
export function settingsMenuFor(pages: readonly MemberPage[], session: WebSession): readonly MenuSection[] {
  return groupsOf(entriesOf(placesFor(pages, 'settings', session)))
}

function groupsOf(entries: readonly SettingsEntry[]): readonly MenuSection[] {
  return Object.entries(settingsGroups)
    .map(([group, heading]) => ({ heading, entries: entries.filter((entry) => entry.group === group) }))
    .filter(({ entries: ofGroup }) => ofGroup.length > 0)
}

/** The menu of settings beside the page at `path`. */
export function settingsMenuAt(
  pages: readonly MemberPage[],
  session: WebSession,
  path: string,
): SettingsMenu {
  const entries = entriesOf(placesFor(pages, 'settings', session))
  const entry = entries.find(({ pages: shared }) => shared.some((page) => page.path === path))
  const shared = entry?.pages ?? []
  const tabs = shared.map((page) => ({ path: page.path, label: page.label, isCurrent: page.path === path }))
  return { groups: groupsOf(entries), current: entry?.path ?? path, tabs: tabs.length > 1 ? tabs : [] }
}

type Place = ReturnType<typeof placesFor>[number]

interface SettingsEntry extends Place {
  /** The pages that share it, its own first. */
  readonly pages: readonly Place[]
}

/** Entries of the menu, where pages of one topic stand: those that a session may not open do not count. */
function entriesOf(places: readonly Place[]): readonly SettingsEntry[] {
  return places.flatMap((place) => {
    const { topic } = place
    if (topic === undefined) return [{ ...place, pages: [place] }]
    const pages = places.filter((other) => other.topic === topic)
    return pages[0] === place ? [{ ...place, label: settingsTopics[topic], pages }] : []
  })
}

/** Pages that a session finds in a menu, with their places there, in their order. */
export function placesFor(pages: readonly MemberPage[], kind: MemberPage['kind'], session: WebSession) {
  return pages
    .filter(
      (page) => page.kind === kind && isPermitted(page.access, session) && (page.isListed?.(session) ?? true),
    )
    .flatMap(({ path, title, menu, labels = {}, words = [] }) =>
      menu === null ? [] : [{ path, title, words: [...Object.values(labels), ...words], ...menu }],
    )
    .toSorted((one, other) => one.order - other.order)
}

/** The notice with this code among those that the page at `path` shows; null if missing. */
export function findNotice(
  pages: readonly MemberPage[],
  path: string,
  code: string,
  session: WebSession,
): TextKey | null {
  const page = pages.find((one) => (one.noticesAt ?? one.path) === path && Object.hasOwn(one.notices, code))
  const notice = page?.notices[code] ?? null
  return typeof notice === 'function' ? notice(session) : notice
}

/** Whether the role of a session allows a page; whether its account is active is another question. */
export function isPermitted(access: PageAccess, { permissions }: WebSession): boolean {
  return (
    access === 'restricted' ||
    access === 'signed-in' ||
    access === 'active' ||
    hasPermission(permissions, access)
  )
}
