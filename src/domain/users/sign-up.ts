import { sql } from 'drizzle-orm'
import { signUpUrl } from '../../contract/addresses'
import { combineQueries, constant, execute, first, map, type Query } from '../../db/query'
import { accountKeys, accounts, applications, users } from '../../db/schema'
import type { IpBlockSeverity } from '../../db/schema/blocks'
import { Forbidden, InvalidFields } from '../../errors'
import { type Problem, problem } from '../../errors/sentences'
import type { AccountId, ApplicationId, InviteId, RoleId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { SealedKeyPair } from '../../ports/services'
import { Changes, commit } from '../core/changes'
import { type InstanceSettings, loadSettings } from '../instance/settings'
import { countUser } from '../metrics/counters'
import { incrementWeek, sourceCounter } from '../metrics/daily-counters'
import { addAccessToken, type IssuedToken } from '../sessions/issue-token'
import { recordAttempt } from '../sign-up-blocks/email-domain-blocks'
import {
  type EmailBlocks,
  findNetworkSeverity,
  findUsernameTreatment,
} from '../sign-up-blocks/sign-up-blocks'
import { addressBlocks, addressFacts, lookUpAddress, type MailAddress } from './address-blocks'
import {
  addChallengeUse,
  challengeProblem,
  checkSolution,
  isChallengeUsed,
  type SolutionCheck,
} from './challenge'
import { checkSignUp, type SignUpForm } from './check-sign-up'
import { hasUsername } from './find'
import { claimInvite, type FoundInvite, findInvite } from './invites'

interface SignUpRequest extends SignUpForm {
  readonly timeZone: string | null
  readonly ip: string | null
  /** Null without an invitation; an unusable one counts as none. */
  readonly inviteCode: string | null
  /** Solution that the browser sends; empty without one. */
  readonly solution: string
  /** Application that signs the user up, and then holds a token for them. */
  readonly applicationId: ApplicationId | null
}

interface SignedUp {
  readonly accountId: AccountId
  readonly confirmed: boolean
  readonly approved: boolean
  /** Token for that application; null on the web. */
  readonly token: IssuedToken | null
}

/**
 * Signs a user up.
 *
 * Closed registrations are `Forbidden`, but a usable invitation opens them and skips approval; it is `Forbidden` as
 * well when another sign-up took its last use meanwhile. All problems of the form are one `Invalid` with details by
 * field. Blocked networks are `Forbidden`; networks, e-mail domains and usernames may also need approval, invited or
 * not. Without a mailer the address counts as confirmed. Enqueues `send-account-email` where there is one, else
 * emits `member.joined` unless approval is pending.
 *
 * Where a challenge is asked for, an application cannot solve it: its user does so when they confirm their address, as
 * in Mastodon, and is refused where no mail is sent.
 */
export async function signUp(ctx: Ctx, request: SignUpRequest): Promise<SignedUp> {
  const form = trimmed(request)
  const address = await lookUpAddress(ctx, form.email)
  const check = await checkSolution(ctx, form.solution)
  const facts = await execute(ctx.db, signUpFacts(ctx, form, { address, check }))
  const { settings, appScopes, networkSeverity, usernameTreatment } = facts
  const invite = facts.invite?.isUsable === true ? facts.invite : null
  if (settings.registrations === 'closed' && invite === null) throw new Forbidden('sign_ups_closed')
  if (networkSeverity === 'sign_up_block' || networkSeverity === 'no_access') throw new Forbidden()
  const blocks = addressBlocks(facts.email, { isInvited: invite !== null })
  const attempt = { blockIds: blocks.blockIds, ip: form.ip }
  const problems = checkSignUp(form, {
    ...facts,
    now: ctx.clock.now(),
    isInvited: invite !== null,
    isEmailReachable: address.acceptsMail,
    isEmailBlocked: blocks.isBlocked,
    isUsernameBlocked: usernameTreatment === 'blocked',
    challengeProblem: problemOfChallenge(ctx, form, { ...facts, check }),
  })
  if (problems.length > 0) {
    if (blocks.isBlocked) ctx.afterResponse(() => recordRefused(ctx, attempt))
    throw new InvalidFields(problems)
  }

  const accountId: AccountId = ctx.ids.next()
  const [passwordHash, keys] = await Promise.all([
    ctx.vault.hashPassword(form.password),
    ctx.vault.generateKeyPair(accountId),
  ])
  const confirmed = ctx.mailer === null
  const needsApproval =
    networkSeverity === 'sign_up_requires_approval' ||
    usernameTreatment === 'needs_approval' ||
    blocks.needsApproval
  const approved = (settings.registrations === 'open' || invite !== null) && !needsApproval
  const changes = new Changes()
  await recordAttempt(ctx, changes, attempt)
  addMember(ctx, changes, {
    accountId,
    username: form.username,
    displayName: '',
    email: form.email,
    passwordHash,
    keys,
    roleId: null,
    locale: form.locale,
    timeZone: form.timeZone,
    ip: form.ip,
    confirmed,
    approved,
    reason: form.reason === '' ? null : form.reason,
    applicationId: form.applicationId,
    inviteId: invite?.id ?? null,
    firstStepsDue: true,
  })
  if (settings.signUpChallenge && check.kind === 'solved') addChallengeUse(ctx, changes, check)
  if (invite !== null) claimInvite(ctx, changes, invite.id)
  const token =
    form.applicationId === null || appScopes === null
      ? null
      : await addAccessToken(ctx, changes, {
          applicationId: form.applicationId,
          accountId,
          scopes: appScopes.split(' '),
        })
  if (!confirmed) changes.enqueue({ kind: 'send-account-email', accountId, purpose: 'confirm' })
  else if (approved) changes.emit({ kind: 'member.joined', accountId })
  await commit(ctx, changes)
  return { accountId, confirmed, approved, token }
}

function problemOfChallenge(
  { config, mailer }: Ctx,
  { applicationId }: SignUpRequest,
  { settings, check, isChallengeUsed }: GatheredFacts & { readonly check: SolutionCheck },
): Problem | null {
  if (!settings.signUpChallenge) return null
  if (applicationId !== null) {
    const url = signUpUrl(config.origin)
    return mailer === null ? problem('challenge_needs_browser', { field: 'challenge', url }) : null
  }
  if (check.kind !== 'solved') return challengeProblem(check.kind)
  return isChallengeUsed ? challengeProblem('used') : null
}

function trimmed(request: SignUpRequest): SignUpRequest {
  return {
    ...request,
    username: request.username.trim(),
    email: request.email.trim(),
    reason: request.reason.trim(),
    dateOfBirth: request.dateOfBirth.trim(),
    locale: request.locale.trim(),
  }
}

interface GatheredFacts {
  readonly settings: InstanceSettings
  readonly invite: FoundInvite | null
  readonly isUsernameTaken: boolean
  readonly isEmailTaken: boolean
  readonly appScopes: string | null
  readonly networkSeverity: IpBlockSeverity | null
  readonly usernameTreatment: 'blocked' | 'needs_approval' | null
  readonly email: EmailBlocks
  readonly isChallengeUsed: boolean
}

function signUpFacts(
  ctx: Ctx,
  form: SignUpRequest,
  { address, check }: { readonly address: MailAddress; readonly check: SolutionCheck },
): Query<GatheredFacts> {
  const name = hasUsername(form.username.toLowerCase())
  const email = sql`lower(${users.email}) = ${form.email.toLowerCase()}`
  const app = sql`${applications.id} = ${form.applicationId}`
  return combineQueries({
    settings: loadSettings(ctx),
    invite: form.inviteCode === null ? constant(null) : findInvite(ctx, form.inviteCode),
    isUsernameTaken: map(
      first(ctx.db.select({ id: accounts.id }).from(accounts).where(name)),
      (row) => row !== null,
    ),
    isEmailTaken: map(
      first(ctx.db.select({ id: users.accountId }).from(users).where(email)),
      (row) => row !== null,
    ),
    appScopes: map(
      first(ctx.db.select({ scopes: applications.scopes }).from(applications).where(app)),
      (row) => row?.scopes ?? null,
    ),
    networkSeverity: findNetworkSeverity(ctx, form.ip),
    usernameTreatment: findUsernameTreatment(ctx, form.username),
    email: addressFacts(ctx, address),
    isChallengeUsed: check.kind === 'solved' ? isChallengeUsed(ctx, check) : constant(false),
  })
}

/** Counts an attempt that was refused for its e-mail address. */
async function recordRefused(ctx: Ctx, attempt: Parameters<typeof recordAttempt>[2]): Promise<void> {
  const changes = new Changes()
  await recordAttempt(ctx, changes, attempt)
  await commit(ctx, changes)
}

/** Validated data of a new member. */
interface NewMember {
  /** Chosen before, because the private key is encrypted for it. */
  readonly accountId: AccountId
  readonly username: string
  readonly displayName: string
  readonly email: string
  readonly passwordHash: string
  readonly keys: SealedKeyPair
  readonly roleId: RoleId | null
  /** Empty where none was chosen. */
  readonly locale: string
  readonly timeZone: string | null
  readonly confirmed: boolean
  readonly approved: boolean
  readonly reason: string | null
  readonly ip: string | null
  readonly applicationId: ApplicationId | null
  readonly inviteId: InviteId | null
  /** Members who signed up themselves are led to the first steps. */
  readonly firstStepsDue: boolean
}

/**
 * Adds account, keys, user and counters to `changes`; the uniqueness of name and address is checked again at
 * commit.
 */
export function addMember(ctx: Ctx, changes: Changes, member: NewMember): void {
  const now = ctx.clock.now()
  const { accountId: id, username, displayName, email, passwordHash, keys } = member
  const name = hasUsername(username.toLowerCase())
  changes
    .require(
      sql`not exists (select 1 from ${accounts} where ${name})`,
      new InvalidFields([problem('taken', { field: 'username' })]),
    )
    .require(
      sql`not exists (select 1 from ${users} where lower(${users.email}) = ${email.toLowerCase()})`,
      new InvalidFields([problem('taken', { field: 'email' })]),
    )
    .add(
      ctx.db
        .insert(accounts)
        .values({ id, username, displayName, publicKey: keys.publicKey, createdAt: now, updatedAt: now }),
      ctx.db.insert(accountKeys).values({ accountId: id, privateKey: keys.privateKey, createdAt: now }),
      ctx.db.insert(users).values({
        accountId: id,
        email,
        passwordHash,
        createdAt: now,
        roleId: member.roleId,
        locale: member.locale,
        timeZone: member.timeZone,
        confirmedAt: member.confirmed ? now : null,
        approved: member.approved,
        signUpReason: member.reason,
        signUpIp: member.ip,
        createdByApplicationId: member.applicationId,
        inviteId: member.inviteId,
        firstStepsDue: member.firstStepsDue,
      }),
      countUser(ctx, id, 1),
      incrementWeek(ctx, now, {
        weekly: 'registrations',
        daily: { registrations: 1, [sourceCounter(member.applicationId)]: 1 },
      }),
    )
    .emit({ kind: 'account.created', accountId: id })
}
