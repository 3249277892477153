import * as z from 'zod'
import { type Problem, problem, tooLong } from '../../errors/sentences'
import { knownLanguage } from '../../lib/language'
import type { InstanceSettings } from '../instance/settings'

export const passwordLengths = { min: 8, max: 72 } as const
export const reasonLimit = 420

/** Sign-up form as submitted. */
export interface SignUpForm {
  readonly username: string
  readonly email: string
  readonly password: string
  /** Repeated password; null where it is not asked for. */
  readonly passwordConfirmation: string | null
  readonly agreement: boolean
  readonly locale: string
  readonly reason: string
  /** ISO 8601 day or `dd.mm.yyyy`. */
  readonly dateOfBirth: string
}

export interface SignUpFacts {
  readonly now: Date
  readonly settings: InstanceSettings
  /** Invited users need no reason. */
  readonly isInvited: boolean
  readonly isUsernameTaken: boolean
  readonly isEmailTaken: boolean
  /** False when no mail server exists for the domain of the address. */
  readonly isEmailReachable: boolean
  /** By a block of its domain, of the host that receives its mail, or of the address itself. */
  readonly isEmailBlocked: boolean
  readonly isUsernameBlocked: boolean
  readonly challengeProblem: Problem | null
}

/** Problems of a sign-up with the fields of its form. */
export function checkSignUp(form: SignUpForm, facts: SignUpFacts): readonly Problem[] {
  return [
    ...usernameProblems(form.username, facts),
    ...emailProblems(form.email, facts),
    ...passwordProblems(form.password),
    ...confirmationProblems(form),
    ...(form.agreement ? [] : [problem('not_accepted', { field: 'agreement' })]),
    ...localeProblems(form.locale),
    ...reasonProblems(form.reason, facts.settings.registrations === 'approval' && !facts.isInvited),
    ...ageProblems(form.dateOfBirth, facts.settings.minimumAge, facts.now),
    ...(facts.challengeProblem === null ? [] : [facts.challengeProblem]),
  ]
}

/** Empty when both are equal, or when there is only one. */
export function confirmationProblems(
  form: Pick<SignUpForm, 'password' | 'passwordConfirmation'>,
): readonly Problem[] {
  const { password, passwordConfirmation } = form
  const isSame = passwordConfirmation === null || passwordConfirmation === password
  return isSame ? [] : [problem('passwords_differ', { field: 'password_confirmation' })]
}

function usernameProblems(
  name: string,
  { isUsernameTaken, isUsernameBlocked }: Pick<SignUpFacts, 'isUsernameTaken' | 'isUsernameBlocked'>,
): readonly Problem[] {
  const field = 'username'
  if (name === '') return [problem('blank', { field })]
  return [
    ...(isUsername(name) ? [] : [problem('invalid_username', { field })]),
    ...(name.length > usernameLimit ? [problem('too_long', { field, max: usernameLimit })] : []),
    ...(isReservedName(name) || isUsernameBlocked ? [problem('reserved', { field })] : []),
    ...(isUsernameTaken ? [problem('taken', { field })] : []),
  ]
}

const Email = z.email().max(254)

/** Problems of an email address, at sign-up and when it is changed. */
export function emailProblems(
  email: string,
  facts: Pick<SignUpFacts, 'isEmailTaken' | 'isEmailReachable' | 'isEmailBlocked'> & {
    readonly settings: Pick<InstanceSettings, 'blockedEmailDomains'>
  },
): readonly Problem[] {
  const field = 'email'
  if (email === '') return [problem('blank', { field })]
  if (!isEmail(email)) return [problem('invalid_email', { field })]
  if (facts.isEmailBlocked || isBlockedDomain(domainOf(email), facts.settings.blockedEmailDomains))
    return [problem('blocked_provider', { field })]
  if (!facts.isEmailReachable) return [problem('unreachable_email', { field })]
  return facts.isEmailTaken ? [problem('taken', { field })] : []
}

export function isEmail(text: string): boolean {
  return Email.safeParse(text).success
}

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}

/** A blocked domain includes its subdomains. */
function isBlockedDomain(domain: string, blocked: readonly string[]): boolean {
  return blocked.some((name) => domain === name || domain.endsWith(`.${name}`))
}

/** Problems of a new password, at sign-up and later. */
export function passwordProblems(password: string): readonly Problem[] {
  const length = [...password].length
  const { min, max } = passwordLengths
  const field = 'password'
  if (length === 0) return [problem('blank', { field })]
  if (length < min) return [problem('too_short', { field, min })]
  return tooLong(field, password, max)
}

function localeProblems(locale: string): readonly Problem[] {
  const isKnown = locale === '' || knownLanguage(locale) !== null
  return isKnown ? [] : [problem('unsupported_language', { field: 'locale' })]
}

function reasonProblems(reason: string, isRequired: boolean): readonly Problem[] {
  if (isRequired && reason === '') return [problem('blank', { field: 'reason' })]
  return tooLong('reason', reason, reasonLimit)
}

function ageProblems(text: string, minimumAge: number | null, now: Date): readonly Problem[] {
  if (minimumAge === null) return []
  const field = 'date_of_birth'
  if (text === '') return [problem('blank', { field })]
  const born = parseDay(text)
  if (born === null || born > now) return [problem('invalid', { field })]
  const latest = new Date(Date.UTC(now.getUTCFullYear() - minimumAge, now.getUTCMonth(), now.getUTCDate()))
  return born <= latest ? [] : [problem('below_age_limit', { field, years: minimumAge })]
}

function parseDay(text: string): Date | null {
  const continental = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)
  const [, day = '', month = '', year = ''] = continental ?? []
  const iso =
    continental === null ? text.slice(0, 10) : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return z.iso.date().safeParse(iso).success ? new Date(`${iso}T00:00:00Z`) : null
}

/** Names that could be mistaken for the server or its staff, or that addresses of the server need. */
const reserved: ReadonlySet<string> = new Set(
  `abuse account accounts actor admin administration administrator administrators admins api app apps assets
  auth autoconfig contact explore federation fieldfare health help helpdesk home hostmaster inbox info instance
  instance_actor internal legal local login logout mail mailer_daemon media mod moderation moderator moderators
  mods nodeinfo nobody noreply no_reply oauth official operator outbox owner postmaster privacy public register
  relay root search security server settings setup share signin signup staff status statuses support sysadmin
  system tags team terms user users verified web webfinger webmaster www`.split(/\s+/),
)

export const usernameLimit = 30

/** Local names: letters, digits and underscores. */
export function isUsername(text: string): boolean {
  return /^[a-z0-9_]+$/i.test(text)
}

/** Whether a name is reserved. Extra underscores and case are ignored: readers do not notice them. */
export function isReservedName(name: string): boolean {
  const words = name.toLowerCase().split('_')
  return reserved.has(words.filter((word) => word !== '').join('_'))
}
