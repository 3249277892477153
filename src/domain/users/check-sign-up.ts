import * as z from 'zod'
import type { FieldProblem } from '../../errors'
import { knownLanguage } from '../../lib/language'
import type { InstanceSettings } from '../instance/settings'
import { isReservedName, isUsername, usernameLimit } from './names'

export const passwordLengths = { min: 8, max: 72 } as const
export const reasonLimit = 420

export type SignUpField =
  | 'username'
  | 'email'
  | 'password'
  | 'password_confirmation'
  | 'agreement'
  | 'locale'
  | 'reason'
  | 'date_of_birth'
  | 'challenge'

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
  readonly challengeProblem: FieldProblem | null
}

export type SignUpProblems = Readonly<Partial<Record<SignUpField, readonly FieldProblem[]>>>

/** Validation problems of a sign-up, by field, in the codes and words the sign-up API documents. */
export function checkSignUp(form: SignUpForm, facts: SignUpFacts): SignUpProblems {
  const all: Record<SignUpField, readonly FieldProblem[]> = {
    username: usernameProblems(form.username, facts),
    email: emailProblems(form.email, facts),
    password: passwordProblems(form.password),
    password_confirmation: confirmationProblems(form),
    agreement: form.agreement ? [] : [problem('ERR_ACCEPTED', 'must be accepted')],
    locale: localeProblems(form.locale),
    reason: reasonProblems(form.reason, facts.settings.registrations === 'approval' && !facts.isInvited),
    date_of_birth: ageProblems(form.dateOfBirth, facts.settings.minimumAge, facts.now),
    challenge: facts.challengeProblem === null ? [] : [facts.challengeProblem],
  }
  return Object.fromEntries(Object.entries(all).filter(([, problems]) => problems.length > 0))
}

/** Empty when both are equal, or when there is only one. */
export function confirmationProblems(
  form: Pick<SignUpForm, 'password' | 'passwordConfirmation'>,
): readonly FieldProblem[] {
  const { password, passwordConfirmation } = form
  const isSame = passwordConfirmation === null || passwordConfirmation === password
  return isSame ? [] : [problem('ERR_INVALID', 'is not the same as the password')]
}

function problem(error: string, description: string): FieldProblem {
  return { error, description }
}

const blank = problem('ERR_BLANK', "can't be blank")
const taken = problem('ERR_TAKEN', 'has already been taken')

function tooLong(limit: number): FieldProblem {
  return problem('ERR_TOO_LONG', `is too long (maximum is ${limit} characters)`)
}

function usernameProblems(
  name: string,
  { isUsernameTaken, isUsernameBlocked }: Pick<SignUpFacts, 'isUsernameTaken' | 'isUsernameBlocked'>,
): readonly FieldProblem[] {
  if (name === '') return [blank]
  return [
    ...(isUsername(name)
      ? []
      : [problem('ERR_INVALID', 'must contain only letters, numbers and underscores')]),
    ...(name.length > usernameLimit ? [tooLong(usernameLimit)] : []),
    ...(isReservedName(name) || isUsernameBlocked ? [problem('ERR_RESERVED', 'is reserved')] : []),
    ...(isUsernameTaken ? [taken] : []),
  ]
}

const Email = z.email().max(254)

/** Problems of an email address, at sign-up and when it is changed. */
export function emailProblems(
  email: string,
  facts: Pick<SignUpFacts, 'isEmailTaken' | 'isEmailReachable' | 'isEmailBlocked'> & {
    readonly settings: Pick<InstanceSettings, 'blockedEmailDomains'>
  },
): readonly FieldProblem[] {
  if (email === '') return [blank]
  if (!isEmail(email)) return [problem('ERR_INVALID', 'is not a valid e-mail address')]
  if (facts.isEmailBlocked || isBlockedDomain(domainOf(email), facts.settings.blockedEmailDomains))
    return [problem('ERR_BLOCKED', 'is with a provider that is not allowed here')]
  if (!facts.isEmailReachable) return [problem('ERR_UNREACHABLE', 'does not seem to exist')]
  return facts.isEmailTaken ? [taken] : []
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
export function passwordProblems(password: string): readonly FieldProblem[] {
  const length = [...password].length
  const { min, max } = passwordLengths
  if (length === 0) return [blank]
  if (length < min) return [problem('ERR_TOO_SHORT', `is too short (minimum is ${min} characters)`)]
  return length > max ? [tooLong(max)] : []
}

function localeProblems(locale: string): readonly FieldProblem[] {
  const isKnown = locale === '' || knownLanguage(locale) !== null
  return isKnown ? [] : [problem('ERR_INCLUSION', 'is not a supported language')]
}

function reasonProblems(reason: string, isRequired: boolean): readonly FieldProblem[] {
  if (isRequired && reason === '') return [blank]
  return [...reason].length > reasonLimit ? [tooLong(reasonLimit)] : []
}

function ageProblems(text: string, minimumAge: number | null, now: Date): readonly FieldProblem[] {
  if (minimumAge === null) return []
  if (text === '') return [blank]
  const born = parseDay(text)
  if (born === null || born > now) return [problem('ERR_INVALID', 'is invalid')]
  const latest = new Date(Date.UTC(now.getUTCFullYear() - minimumAge, now.getUTCMonth(), now.getUTCDate()))
  return born <= latest ? [] : [problem('ERR_BELOW_LIMIT', `is below the age limit of ${minimumAge} years`)]
}

function parseDay(text: string): Date | null {
  const continental = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)
  const [, day = '', month = '', year = ''] = continental ?? []
  const iso =
    continental === null ? text.slice(0, 10) : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return z.iso.date().safeParse(iso).success ? new Date(`${iso}T00:00:00Z`) : null
}
