import * as z from 'zod'
import { setup } from '../../../scripts/lib/server.mjs'

/** Server with its set-up token. */
export type SetupServer = Parameters<typeof setup>[0]

const own = '/api/fieldfare/v1/admin'
const Account = z.object({ id: z.string() })
const roles = { moderator: '1', admin: '2', owner: '3' } as const

/** Calls the administration API, or a route below /setup, by the set-up token; anything but 200 fails. */
export async function administer(server: SetupServer, ...order: [string, string, object?]): Promise<unknown> {
  const { status, body } = await setup(server, ...order)
  if (status !== 200) throw new Error(`${order.slice(0, 2).join(' ')}: ${status} ${JSON.stringify(body)}`)
  return body
}

/** Saves settings, and rules where they are among them, as texts or with hints. */
export async function saveSettings(
  server: SetupServer,
  { rules, ...settings }: { readonly rules?: readonly unknown[] } & Readonly<Record<string, unknown>>,
): Promise<void> {
  await administer(server, 'PUT', `${own}/settings`, settings)
  if (rules === undefined) return
  const drafts = rules.map((rule) => (typeof rule === 'string' ? { text: rule } : rule))
  await administer(server, 'PUT', `${own}/rules`, { rules: drafts })
}

/** Id of the account with this name. */
export async function accountIdOf(server: SetupServer, username: string): Promise<string> {
  return Account.parse(await administer(server, 'GET', `${own}/accounts/lookup?acct=${username}`)).id
}

/** Calls an endpoint about an account by its name, such as `approve` or `action`. */
export async function moderate(
  server: SetupServer,
  username: string,
  [verb, body = {}]: readonly [string, object?],
): Promise<void> {
  const id = await accountIdOf(server, username)
  await administer(server, 'POST', `/api/v1/admin/accounts/${id}/${verb}`, body)
}

export async function giveRole(
  server: SetupServer,
  username: string,
  role: keyof typeof roles,
): Promise<void> {
  const path = `${own}/accounts/${await accountIdOf(server, username)}/role`
  await administer(server, 'PUT', path, { role_id: roles[role] })
}

/** Address of the page where a member chooses a new password, once. */
export async function makeResetLink(server: SetupServer, username: string): Promise<string> {
  const path = `${own}/accounts/${await accountIdOf(server, username)}/reset_link`
  return z.object({ url: z.string() }).parse(await administer(server, 'POST', path)).url
}
