import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../../../src/domain/instance/settings'
import { checkSignUp, type SignUpFacts, type SignUpForm } from '../../../src/domain/users/check-sign-up'
import { detailsOf } from '../../../src/errors/sentences'

const good: SignUpForm = {
  username: 'alice',
  email: 'alice@mail.test',
  password: 'long enough',
  passwordConfirmation: null,
  agreement: true,
  locale: 'en',
  reason: '',
  dateOfBirth: '',
}

const plain: SignUpFacts = {
  now: new Date('2026-11-01T12:00:00Z'),
  settings: defaultSettings,
  isUsernameTaken: false,
  isEmailTaken: false,
  isEmailReachable: true,
  isEmailBlocked: false,
  isUsernameBlocked: false,
  isInvited: false,
  challengeProblem: null,
}

const asking = (settings: Partial<typeof defaultSettings>): SignUpFacts => ({
  ...plain,
  settings: { ...defaultSettings, ...settings },
})
const adults = asking({ minimumAge: 16 })
const approval = asking({ registrations: 'approval' })
const guarded = asking({ blockedEmailDomains: ['bad.test'] })

function codes(form: Partial<SignUpForm>, facts: SignUpFacts = plain) {
  const problems = checkSignUp({ ...good, ...form }, facts)
  return Object.fromEntries(
    Object.entries(detailsOf(problems)).map(([field, list]) => [field, list.map(({ error }) => error)]),
  )
}

describe('a sign-up', () => {
  it('accepts a valid sign-up', () => {
    expect(codes({})).toEqual({})
  })

  it.each<[string, Partial<SignUpForm>, SignUpFacts, object]>([
    ['no name', { username: '' }, plain, { username: ['ERR_BLANK'] }],
    ['a name that is taken', {}, { ...plain, isUsernameTaken: true }, { username: ['ERR_TAKEN'] }],
    ['a reserved name', { username: 'Admin' }, plain, { username: ['ERR_RESERVED'] }],
    ['a reserved name in disguise', { username: '_root_' }, plain, { username: ['ERR_RESERVED'] }],
    ['a name of 31 characters', { username: 'a'.repeat(31) }, plain, { username: ['ERR_TOO_LONG'] }],
    ['a name of 30 characters', { username: 'a'.repeat(30) }, plain, {}],
    ['a name with a dash', { username: 'a-b' }, plain, { username: ['ERR_INVALID'] }],
    [
      'a name with letters that look like others',
      { username: 'аlice' },
      plain,
      { username: ['ERR_INVALID'] },
    ],
    ['a name with a line break', { username: 'alice\n' }, plain, { username: ['ERR_INVALID'] }],
    ['the password twice', { passwordConfirmation: 'long enough' }, plain, {}],
    [
      'another password the second time, beside other mistakes',
      { passwordConfirmation: 'long', username: 'a-b' },
      plain,
      { username: ['ERR_INVALID'], password_confirmation: ['ERR_INVALID'] },
    ],
    ['no address', { email: '' }, plain, { email: ['ERR_BLANK'] }],
    ['a malformed address', { email: 'alice' }, plain, { email: ['ERR_INVALID'] }],
    ['two addresses in one', { email: 'a@b.test, c@d.test' }, plain, { email: ['ERR_INVALID'] }],
    [
      'an address with a header in it',
      { email: 'a@b.test\r\nBcc: c@d.test' },
      plain,
      { email: ['ERR_INVALID'] },
    ],
    ['an address that is taken', {}, { ...plain, isEmailTaken: true }, { email: ['ERR_TAKEN'] }],
    ['a blocked domain', { email: 'a@BAD.test' }, guarded, { email: ['ERR_BLOCKED'] }],
    ['a subdomain of a blocked one', { email: 'a@very.bad.test' }, guarded, { email: ['ERR_BLOCKED'] }],
    ['a domain that only ends like a blocked one', { email: 'a@notbad.test' }, guarded, {}],
    ['an unreachable domain', {}, { ...plain, isEmailReachable: false }, { email: ['ERR_UNREACHABLE'] }],
    ['no password', { password: '' }, plain, { password: ['ERR_BLANK'] }],
    ['a password of 7 characters', { password: '1234567' }, plain, { password: ['ERR_TOO_SHORT'] }],
    ['a password of 8 characters', { password: '12345678' }, plain, {}],
    ['a password of 73 characters', { password: 'x'.repeat(73) }, plain, { password: ['ERR_TOO_LONG'] }],
    ['no agreement', { agreement: false }, plain, { agreement: ['ERR_ACCEPTED'] }],
    ['an unknown language', { locale: 'xx-klingon' }, plain, { locale: ['ERR_INCLUSION'] }],
    ['a language with a region', { locale: 'pt-BR' }, plain, {}],
    ['no reason where one is needed', {}, approval, { reason: ['ERR_BLANK'] }],
    ['a reason of 421 characters', { reason: 'x'.repeat(421) }, plain, { reason: ['ERR_TOO_LONG'] }],
    ['no date of birth where one is needed', {}, adults, { date_of_birth: ['ERR_BLANK'] }],
    ['no such day', { dateOfBirth: '2000-02-30' }, adults, { date_of_birth: ['ERR_INVALID'] }],
    ['a birth to come', { dateOfBirth: '2030-01-01' }, adults, { date_of_birth: ['ERR_INVALID'] }],
    ['one day too young', { dateOfBirth: '2010-11-02' }, adults, { date_of_birth: ['ERR_BELOW_LIMIT'] }],
    ['old enough today', { dateOfBirth: '2010-11-01' }, adults, {}],
    ['old enough, with dots', { dateOfBirth: '1.11.2010' }, adults, {}],
    ['old enough, with a time', { dateOfBirth: '2000-01-01T00:00:00.000Z' }, adults, {}],
    ['a date of birth nobody asked for', { dateOfBirth: 'rubbish' }, plain, {}],
  ])('refuses a sign-up with %s and names the reason', (_name, form, facts, expected) => {
    expect(codes(form, facts)).toEqual(expected)
  })

  it('reports every error at once', () => {
    const fields = codes({ username: '', email: '', password: '', agreement: false })
    expect(Object.keys(fields)).toEqual(['username', 'email', 'password', 'agreement'])
  })
})
