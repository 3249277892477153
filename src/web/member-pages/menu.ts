import { hasPermission } from '../../domain/policy/permissions'
import type { WebSession } from '../../domain/sessions/web-session'
import type { TextKey } from '../../lib/translate'
import type { MenuEntry, MenuSection } from '../page-context'
import { type MemberPage, type PageAccess, settingsGroups } from './declaration'

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
  const places = placesFor(pages, 'settings', session)
  return Object.entries(settingsGroups)
    .map(([group, heading]) => ({ heading, entries: places.filter((place) => place.group === group) }))
    .filter(({ entries }) => entries.length > 0)
}

function placesFor(pages: readonly MemberPage[], kind: MemberPage['kind'], session: WebSession) {
  return pages
    .filter(
      (page) => page.kind === kind && isPermitted(page.access, session) && (page.isListed?.(session) ?? true),
    )
    .flatMap(({ path, menu }) => (menu === null ? [] : [{ path, ...menu }]))
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
