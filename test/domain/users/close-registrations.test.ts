import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { execute } from '../../../src/db/query'
import { auditLog, users } from '../../../src/db/schema'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { pickSettings } from '../../../src/domain/instance/settings'
import { operator } from '../../../src/domain/policy/permissions'
import { closeUnattendedRegistrations } from '../../../src/domain/users/close-registrations'
import { fakeMailer } from '../../support/fake-mailer'
import { given } from '../../support/given'
import { givenOwner, givenStaff } from '../../support/given-staff'
import { withSettings } from '../../support/settings'
import { clock, context, settleLateWork } from '../../support/test-app'

const day = 86_400_000
const registrations = async () => {
  const ctx = context()
  return (await execute(ctx.db, pickSettings(ctx, ['registrations']))).registrations
}

/** Runs the task in a server whose registrations are open; returns their state after it and the mails. */
async function run(setting: { readonly closeUnattended?: boolean } = {}) {
  const { overrides, deliver } = fakeMailer()
  return withSettings({ registrations: 'open', ...setting }, async () => {
    await closeUnattendedRegistrations(context(overrides))
    await settleLateWork()
    return { state: await registrations(), to: (await deliver()).map(({ to }) => to) }
  })
}

describe('registrations without an active moderator', () => {
  it('registrations stay open in the first week, need approval after it, and mail staff who can open them', async () => {
    const owner = await givenOwner()
    const moderator = await givenStaff({ permissions: ['manageReports'] })
    await given.account()
    clock.advance(7 * day)
    expect(await run()).toEqual({ state: 'open', to: [] })
    clock.advance(day + 1)
    expect(await run({ closeUnattended: false })).toEqual({ state: 'open', to: [] })
    expect(await run()).toEqual({ state: 'approval', to: [owner.email] })
    const log = context().db.select().from(auditLog).where(eq(auditLog.action, 'close_unattended'))
    expect(await log).toMatchObject([
      { targetLabel: 'registrations', newValues: { registrations: 'approval' } },
    ])
    await context()
      .db.update(users)
      .set({ lastActiveAt: clock.now() })
      .where(eq(users.accountId, moderator.id))
    expect((await run()).state).toBe('open')
    clock.advance(8 * day + 1)
    expect((await run()).state).toBe('approval')
  })

  it('a new moderator keeps registrations open, but not staff without the reports permission, members or disabled accounts', async () => {
    clock.advance(8 * day + 1)
    await given.account({ user: { lastActiveAt: clock.now() } })
    await givenStaff({ permissions: ['manageRules'] })
    const { id } = await givenStaff({ permissions: ['manageReports'] })
    expect((await run()).state).toBe('open')
    await context().db.update(users).set({ disabledAt: clock.now() }).where(eq(users.accountId, id))
    expect((await run()).state).toBe('approval')
  })

  it('closed registrations are unchanged', async () => {
    await saveSettings(context(), operator, { registrations: 'closed' })
    await closeUnattendedRegistrations(context())
    expect(await registrations()).toBe('closed')
  })
})
