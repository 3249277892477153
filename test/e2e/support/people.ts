import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import * as z from 'zod'
import { makeResetLink } from './administer'
import { operate, ownServer } from './operator'

export const origin = inject('origin')
export const domain = new URL(origin).host

export interface Person {
  readonly id: string
  readonly username: string
  readonly acct: string
  /** Of the scripts' own application, with the scopes read, write, follow and push. */
  readonly token: string
}

const Made = z.object({ id: z.string(), token: z.string() })

/** A member nobody else uses. */
export async function newPerson(name = 'bird'): Promise<Person> {
  const username = newName(name)
  const body = await operate('POST', 'account', { username, display_name: name })
  const { id, token } = Made.parse(body)
  return { id, username, acct: `@${username}`, token }
}

/** Two people with a client each. */
export async function aliceAndBob<C>(clientOf: (person: Person) => C) {
  const [alice, bob] = await Promise.all([newPerson('alice'), newPerson('bob')])
  return { alice, bob, asAlice: clientOf(alice), asBob: clientOf(bob) }
}

/** A name no other test uses. */
export function newName(start: string): string {
  return `${start}_${randomBytes(4).toString('hex')}`
}

/** A hashtag no other test uses. */
export function newTag(start: string): string {
  return newName(start).replaceAll('_', '')
}

/** The address of one page where `person` chooses a new password. */
export async function resetLink({ username }: { readonly username: string }): Promise<string> {
  return makeResetLink(ownServer(), username)
}
