import * as z from 'zod'
import { Conversation } from '../../src/contract/entities/timelines'
import { as } from './as'
import { given, type TestAccount } from './given'

/** A direct status to everybody named, an answer where it says to what. */
export function direct(
  by: TestAccount,
  to: readonly { readonly username: string; readonly domain?: string }[],
  more: { readonly inReplyTo?: { readonly id: string }; readonly text?: string } = {},
): Promise<{ readonly id: string }> {
  const { text = 'psst', ...rest } = more
  const names = to.map(({ username, domain }) => `@${username}${domain === undefined ? '' : `@${domain}`}`)
  return given.status({ by, visibility: 'direct', text: [...names, text].join(' '), ...rest })
}

/** Somebody's conversations as the API answers them. */
export async function conversationsOf(person: TestAccount, query = ''): Promise<readonly Conversation[]> {
  return z.array(Conversation).parse((await as(person).get(`/api/v1/conversations${query}`)).body)
}

/** Properties by which tests tell conversations apart. */
export function conversationSummary({ unread, accounts, last_status }: Conversation) {
  return { unread, with: accounts.map(({ username }) => username), last: last_status?.id }
}
