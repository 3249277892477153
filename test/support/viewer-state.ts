import { as } from './as'
import type { TestAccount } from './given'

/** Relationship of a local account to a target, as the API presents it. */
export async function relationshipBetween(
  viewer: TestAccount,
  other: { readonly id: number },
): Promise<unknown> {
  const { body } = await as(viewer).get(`/api/v1/accounts/relationships?id=${other.id}`)
  return Array.isArray(body) ? body[0] : body
}

/** Types and senders of the viewer's notifications, newest first. */
export async function notificationsOf(viewer: TestAccount): Promise<readonly string[]> {
  const { body } = await as(viewer).get('/api/v1/notifications')
  return Array.isArray(body) ? body.map(({ type, account }) => `${type} by ${account.acct}`) : []
}

/** The counters an account shows. */
export async function countersOf(account: TestAccount): Promise<unknown> {
  const { body } = await as(account).get(`/api/v1/accounts/${account.id}`)
  return body
}
