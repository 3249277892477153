import { combineQueries, execute } from '../../db/query'

import { networkOf } from '../../lib/network'
import type { Ctx } from '../../ports/ctx'
import { findAccountsOfDevice, findSignInAddresses } from '../sessions/devices'
import type { Member } from '../users/find'
import { isReachableByMail } from '../users/warn'
import { findFactors, hasSecondFactor } from './factors'
import type { SignInStep } from './pending'

/** Browser of a sign-in. */
export interface SignInPlace {
  readonly deviceHash: string | null
  readonly ip: string
}

/**
 * Step that follows a right password: the second factor where there is one, else a code by mail if the sign-in looks
 * new and mail can be sent; null if none is needed.
 */
export async function findNextStep(
  ctx: Ctx,
  member: Member,
  { deviceHash, ip }: SignInPlace,
): Promise<SignInStep | null> {
  const { accountId } = member
  const { factors, devices, addresses } = await execute(
    ctx.db,
    combineQueries({
      factors: findFactors(ctx, accountId),
      devices: findAccountsOfDevice(ctx, deviceHash),
      addresses: findSignInAddresses(ctx, accountId),
    }),
  )
  if (hasSecondFactor(factors)) return 'second-factor'
  if (member.skipSignInToken || !isReachableByMail(ctx, member)) return null
  return looksNew({ isDeviceKnown: devices.includes(accountId), ip, addresses }) ? 'mailed-code' : null
}

/**
 * Whether a sign-in comes from a browser and a network that the account was not used from before. The first sign-in of
 * an account does not: there is nothing to compare it with.
 */
export function looksNew({
  isDeviceKnown,
  ip,
  addresses,
}: {
  readonly isDeviceKnown: boolean
  readonly ip: string
  readonly addresses: readonly string[]
}): boolean {
  if (isDeviceKnown || addresses.length === 0) return false
  const here = neighbourhoodOf(ip)
  return !addresses.some((address) => neighbourhoodOf(address) === here)
}

/**
 * The network in which an address that has changed is taken for the same household: an IPv4 /16, since providers give
 * out others every day, or an IPv6 /64.
 */
function neighbourhoodOf(ip: string): string {
  const network = networkOf(ip)
  const [first, second, third] = network.split('.')
  return third === undefined ? network : `${first}.${second}.0.0/16`
}
