import { combineQueries, constant, execute, map, type Query } from '../../db/query'
import type { Problem } from '../../errors/sentences'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { MailReach } from '../../ports/services'
import { pickSettings } from '../instance/settings'
import { canonicalEmailHash } from '../sign-up-blocks/canonical-email-blocks'
import { type EmailBlocks, findEmailBlocks } from '../sign-up-blocks/sign-up-blocks'
import { domainOf, emailProblems, isEmail } from './check-sign-up'
import { findMemberByEmail, type Member } from './find'

/** An e-mail address with the findings about it that are not in the database. */
export interface MailAddress extends MailReach {
  /** Null for an invalid address. */
  readonly domain: string | null
  readonly canonicalHash: string
}

const noBlocks: EmailBlocks = { domains: [], isCanonicalBlocked: false }

/** Looks up the mail servers of an address; deliverability does not matter where no mail is sent. */
export async function lookUpAddress(ctx: Ctx, email: string): Promise<MailAddress> {
  if (!isEmail(email)) return { domain: null, canonicalHash: '', acceptsMail: true, hosts: [] }
  const domain = domainOf(email)
  const reach = ctx.mailer === null ? { acceptsMail: true, hosts: [] } : await ctx.mailer.lookUp(domain)
  return { domain, canonicalHash: await canonicalEmailHash(email), ...reach }
}

/** Blocks that an address meets. */
export function addressFacts(ctx: Ctx, { domain, canonicalHash, hosts }: MailAddress): Query<EmailBlocks> {
  if (domain === null) return constant(noBlocks)
  return findEmailBlocks(ctx, { domain, canonicalHash, mailHosts: hosts })
}

export interface AddressBlocks {
  readonly isBlocked: boolean
  readonly needsApproval: boolean
  /** Blocks of domains that took effect. */
  readonly blockIds: readonly number[]
}

/**
 * Effect of the blocks that an address meets. An invitation lifts those by its own name, not those by the hosts that
 * receive its mail, nor the need of approval. Source: Mastodon.
 */
export function addressBlocks(
  { domains, isCanonicalBlocked }: EmailBlocks,
  { isInvited }: { readonly isInvited: boolean },
): AddressBlocks {
  const effective = domains.filter((block) => block.allowWithApproval || block.isByMailHost || !isInvited)
  return {
    isBlocked:
      effective.some(({ allowWithApproval }) => !allowWithApproval) || (isCanonicalBlocked && !isInvited),
    needsApproval: effective.some(({ allowWithApproval }) => allowWithApproval),
    blockIds: effective.map(({ id }) => id),
  }
}

/**
 * Problems of a new address of a member. Blocks that ask for approval refuse it before the first confirmation, when it
 * would stand in for the address that was looked at; later they have no effect.
 */
export async function newAddressProblems(
  ctx: Ctx,
  { accountId, confirmedAt }: Pick<Member, 'accountId' | 'confirmedAt'>,
  email: string,
): Promise<readonly Problem[]> {
  const address = await lookUpAddress(ctx, email)
  const { settings, isTaken, blocks } = await execute(
    ctx.db,
    combineQueries({
      settings: pickSettings(ctx, ['blockedEmailDomains']),
      isTaken: map(findMemberByEmail(ctx, email), (other) => isOther(other, accountId)),
      blocks: map(addressFacts(ctx, address), (facts) => addressBlocks(facts, { isInvited: false })),
    }),
  )
  return emailProblems(email, {
    settings,
    isEmailTaken: isTaken,
    isEmailReachable: address.acceptsMail,
    isEmailBlocked: blocks.isBlocked || (blocks.needsApproval && confirmedAt === null),
  })
}

function isOther(other: Member | null, accountId: AccountId): boolean {
  return other !== null && other.accountId !== accountId
}
