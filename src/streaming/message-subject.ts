import type { StatusId } from '../lib/ids'
import { filterableOf } from '../view/load/filters'
import type { StatusBundle, StatusFacts } from '../view/load/statuses'
import type { MessageSubject, StatusInPayload } from './messages'

/** Rule and filter subject of a status of the bundle, found in the payload behind the keys `at`. */
export function subjectOfStatus(
  bundle: StatusBundle,
  id: StatusId,
  at: readonly string[] = [],
): MessageSubject | null {
  const facts = bundle.statuses.get(id)
  if (facts === undefined) return null
  const shared = sharedBy(bundle, facts)
  const people = [facts, ...(shared === null ? [] : [shared])].map(({ author }) => ({
    id: author.id,
    domain: author.domain,
    isAuthor: true,
  }))
  return { people, language: facts.status.language, statuses: statusesIn(bundle, facts, at) }
}

/** Subject of a notification caused by `sender`; its status, if any, is in the payload as `status`. */
export function subjectOfNotification(
  bundle: StatusBundle,
  sender: { readonly id: number; readonly domain: string | null },
  statusId: StatusId | null,
): MessageSubject {
  const facts = statusId === null ? undefined : bundle.statuses.get(statusId)
  const isAuthor = facts?.author.id === sender.id
  return {
    people: [{ id: sender.id, domain: sender.domain, isAuthor }],
    language: null,
    statuses: facts === undefined ? [] : statusesIn(bundle, facts, ['status']),
  }
}

function sharedBy(bundle: StatusBundle, { status }: StatusFacts): StatusFacts | null {
  return (status.reblogOfId === null ? undefined : bundle.statuses.get(status.reblogOfId)) ?? null
}

/** The statuses nested in a presented status: itself, the reblogged one, and the quoted one. */
function statusesIn(bundle: StatusBundle, facts: StatusFacts, at: readonly string[]): StatusInPayload[] {
  const { id } = facts.status
  const shared = sharedBy(bundle, facts)
  if (shared !== null) {
    const outer = { ...statusInPayload(shared, at), ids: [id, shared.status.id] }
    return [outer, ...statusesIn(bundle, shared, [...at, 'reblog'])]
  }
  const quoted = facts.quote?.quotedId == null ? undefined : bundle.statuses.get(facts.quote.quotedId)
  const inner = quoted === undefined ? [] : [statusInPayload(quoted, [...at, 'quote', 'quoted_status'])]
  return [statusInPayload(facts, at), ...inner]
}

function statusInPayload(facts: StatusFacts, at: readonly string[]): StatusInPayload {
  const { id, domain } = facts.author
  return { at, author: { id, domain }, ids: [facts.status.id], ...filterableOf(facts) }
}
