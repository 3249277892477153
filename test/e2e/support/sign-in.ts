import { newName, origin } from './people'
import type { Page, Visitor } from './visitor'

export interface Member {
  readonly username: string
  readonly email: string
  readonly password: string
}

/** Values that a person types to sign up. */
export function newMember(name = 'bird'): Member {
  const username = newName(name)
  return { username, email: `${username}@birds.example`, password: `seed-and-worm-${username}` }
}

/** Signs up on the pages as anybody would; the account reads pages in `locale`, by default in English. */
export async function signUp(visitor: Visitor, member = newMember(), locale = 'en'): Promise<Member> {
  const page = await visitor.open('/auth/sign_up')
  const after = await visitor.submit(page, '/auth/sign_up', {
    username: member.username,
    email: member.email,
    password: member.password,
    password_confirmation: member.password,
    agreement: 'true',
    locale,
  })
  if (after.status !== 200 || after.html.includes('note danger'))
    throw new Error(`Signing up failed (${after.status}): ${after.text}`)
  return member
}

/** Goes through the sign-in form and the consent page; answers where it leads. */
export async function authorize(visitor: Visitor, member: Member, address: string): Promise<Page> {
  const consent = await signInTo(visitor, member, address)
  return visitor.submit(consent, '/oauth/authorize', { decision: 'authorize' })
}

/** Opens `address`, signing in on the way where it is asked for. */
export async function signInTo(visitor: Visitor, member: Member, address: string): Promise<Page> {
  const page = await visitor.open(address)
  if (page.url.pathname !== '/auth/sign_in') return page
  const { username, password } = member
  return visitor.submit(page, '/auth/sign_in', { username, password })
}

export function authorizeUrl(params: Readonly<Record<string, string>>): string {
  return `${origin}/oauth/authorize?${new URLSearchParams(params)}`
}
